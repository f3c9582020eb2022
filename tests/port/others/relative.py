import torch
class Tensor:
    """Own tensor."""
    def __init__(self, data): self.data = data
    def size(self): return len(self.data)
    def view(self, *s): return Tensor(list(s))
    def backward(self): return "own backward"
    @classmethod
    def zeros(cls, n): return cls([0] * n)
class Parameter(Tensor): pass
class Module:
    def __init__(self): self.training = True
    def parameters(self): return [p for p in vars(self).values() if isinstance(p, Parameter)]
    def train(self, mode=True): self.training = mode; return self
    def eval(self): return self.train(False)
    def zero_grad(self): return "zg"
    def __call__(self, *a): return self.forward(*a)
class Linear(Module):
    def __init__(self, n):
        super().__init__()
        self.weight = Parameter([0] * n)
    def forward(self, x): return Tensor(x.data + self.weight.data)
class Optimizer:
    def __init__(self, ps): self.ps = ps
    def zero_grad(self): return "ozg"
    def step(self): return len(self.ps)
l = Linear(3); opt = Optimizer(l.parameters())
loss = l(Tensor([1]))
print(opt.zero_grad(), loss.backward(), opt.step(), loss.size(), loss.view(1, 2).data, Tensor.zeros(2).size(), l.eval().training, l.train().training, l.zero_grad())
