import torch
from torch import nn
def torch_like(fn):
    return fn
@torch_like
def zeros(*a):
    return a
zeros(3)
@property
def nn(self):
    return self
class A(nn.Module):
    def forward(self, x):
        return x
