import functools
import torch
def no_grad(f=None):
    return (lambda *a: ("ng", f(*a))) if f else no_grad
def jit(fn): return fn
registry = {}
def register(name):
    def wrap(obj):
        registry[name] = obj
        return "replaced"
    return wrap
@no_grad
def a(x): return x
@register("train")
def train(model): return model.train()
@register("M")
class M:
    def train(self): return "own train"
    def forward(self): return "fw"
@functools.lru_cache
def size(n): return n
print(a(1), train, M, registry["train"](registry["M"]()), size(3), registry["M"]().forward())
