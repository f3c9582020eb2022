import torch
torch.answer = lambda: 42
torch.Tensor.shout = lambda self: "loud"
class Own:
    pass
Own.sum = lambda self, dim=None: ("own sum", dim)
Own.view = staticmethod(lambda *a: a)
o = Own()
print(o.sum(dim=2), o.view(1), torch.answer())
o.forward = lambda x: x
print(o.forward(3))
