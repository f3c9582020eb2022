import torch
from torch import nn
class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2); self.bn = nn.BatchNorm1d(2)
    def train(self, mode: bool = True):
        super().train(mode)
        self.bn.eval()
        return self
    def forward(self, x):
        return self.bn(self.fc(x))
m = Frozen()
m.train(); m.eval(); m.train(False)
class Wrap(nn.Module):
    def __init__(self):
        super().__init__()
        self.m = Frozen()
    def forward(self, x): return self.m(x)
w = Wrap(); w.train(); w.eval()
