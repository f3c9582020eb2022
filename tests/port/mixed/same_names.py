import torch
class Tensor:
    def view(self, *a): return a
    def size(self, d=None): return 3
    def backward(self): return "own"
class Module:
    def train(self): return self
    def forward(self, x): return x
class Net(Module):
    def forward(self, x):
        return x.view(-1)
t = Tensor()
t.view(1), t.size(0), t.backward()
Net().train().forward(t)
print(torch.ones(2).view(-1))
