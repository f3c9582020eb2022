import torch
import torch.nn.functional as F
_old = torch.zeros
def zeros(*a, **k):
    return _old(*a, **k) + 1
torch.zeros = zeros
print(torch.zeros(3))
F.relu = lambda x: x
print(F.relu(torch.ones(2)))
torch.Tensor.sum = lambda self: 42
print(torch.ones(3).sum())
def patched(self, x):
    return x
torch.nn.Linear.forward = patched
l = torch.nn.Linear(2, 2)
print(l(torch.ones(2)))
setattr(torch, "ones", zeros)
print(torch.ones(2))
