import torch
class Money:
    def __init__(self, n): self.n = n
    def add_(self, o): self.n += o; return self
    def mul(self, o): return Money(self.n * o)
    def item(self): return self.n
    def detach(self): return "detached"
    def numpy(self): return [self.n]
    def view(self, *a): return ("view", a)
    def size(self, i=None): return ("size", i)
    def cuda(self): return "cuda!"
    def cpu(self): return "cpu!"
    def float(self): return float(self.n)
    def expand(self, *a): return a
    def permute(self, *a): return a[::-1]
    @property
    def shape(self): return ("s",)
    @property
    def data(self): return "d"
    @property
    def grad(self): return None
    def __add__(self, o): return Money(self.n + getattr(o, "n", o))
    def sum(self, dim=0): return ("sum", dim)
def total(xs):
    out = xs[0]
    for x in xs[1:]:
        out = out + x
    return out
m = total([Money(1), Money(2)])
m.add_(3).add_(4)
print(m.item(), m.mul(2).item(), m.detach(), m.numpy(), m.view(1, -1), m.size(0), m.size(), m.cuda(), m.cpu(), m.float(), m.expand(2, 3), m.permute(0, 1), m.shape, m.data, m.grad, m.sum(dim=1))
