import torch
from torch import nn
from torch.utils.data import DataLoader
class MyLoader(DataLoader):
    def __iter__(self):
        for b in super().__iter__():
            yield b
class MyTensor(torch.Tensor):
    def sum(self): return "mine"
class MyAdam(torch.optim.Adam):
    def step(self, closure=None):
        return super().step(closure)
class MySeq(nn.Sequential):
    def forward(self, x, extra=None):
        for m in self:
            x = m(x)
        return x
class MyLinear(nn.Linear):
    def forward(self, input):
        return nn.functional.linear(input, self.weight.abs(), self.bias)
    def train(self, mode=True):
        super().train(mode)
        return self
    def extra_repr(self): return "x"
s = MySeq(MyLinear(2, 3), nn.ReLU())
s.train(False); s.eval(); s(torch.ones(1, 2))
s[0].train()
