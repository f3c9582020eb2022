import torch
from unittest import mock
torch.zeros = lambda *a: a
x = torch.zeros(3)
setattr(torch, "ones", print)
torch.ones(3)
with mock.patch("torch.abs"):
    torch.abs(-1)
torch.Tensor.foo = lambda self: self
torch.eye(2).foo()
