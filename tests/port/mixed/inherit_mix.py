import torch
from torch import nn
class Mixin:
    def forward(self, x):
        return x
    def train(self, mode=True):
        return super().train(mode)
class Net(Mixin, nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc = nn.Linear(2, 2)
class Meta(type): pass
class Net2(nn.Module, metaclass=Meta):
    def forward(self, x):
        return self.fc.forward(x)
Net()(torch.ones(2, 2))
