import torch as real
class Proxy:
    def __init__(self, inner): self.__dict__["_inner"] = inner
    def __getattr__(self, name): return lambda *a, **k: (name, a, tuple(k))
p = Proxy(3)
print(p.sum(dim=1), p.view(-1), p.to("cuda"), p.eval(), p.zero_grad(), p.transpose(0, 1), p.max(1), p.train(), p.size(0), p.cuda())
class D:
    def __get__(self, o, t): return Proxy(1)
    def __set__(self, o, v): o.__dict__["x"] = v
class Holder:
    weight = D()
h = Holder()
print(h.weight.add_(1), h.weight.data(2), h.weight.uniform_(-1, 1), h.weight.t())
class Meta(type):
    def __getattr__(cls, name): return f"meta {name}"
class K(metaclass=Meta): pass
print(K.relu, K.zeros, K.float)
