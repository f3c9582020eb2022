import torch, contextlib
x = torch.ones(2, requires_grad=True)
with torch.no_grad(), open("f") as f:
    y = x * 2
with open("f") as f, torch.no_grad():
    y = x * 2
with torch.no_grad() as g:
    y = x
ctx = torch.no_grad() if y else contextlib.nullcontext()
with ctx: y = x
with torch.autocast("cuda", enabled=False): y = x
with torch.enable_grad(): y = x
with torch.random.fork_rng(): y = torch.rand(2)
with torch.profiler.profile() as prof: y = x
@torch.no_grad()
def f(x): return x
@torch.jit.ignore
@torch.no_grad()
# comment
def g(x): return x
class A:
    @staticmethod
    @torch.no_grad()
    def h(x): return x
    @torch.inference_mode()  # why
    def k(self, x): return x
for i in range(2):
    with torch.no_grad(): z = x.size(0)
if x.sum() > 0:
    with torch.no_grad():
        pass
else:
    with torch.no_grad():
        # only a comment
        ...
