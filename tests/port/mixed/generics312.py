import torch
def first(xs: "list[torch.Tensor]") -> "torch.Tensor":
    return xs[0]
class torch_ns:
    zeros = staticmethod(lambda *a: a)
torch_ns.zeros(3)
from types import SimpleNamespace as torch
torch.zeros(3)
