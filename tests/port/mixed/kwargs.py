import torch
from torch import nn
cfg = {"kernel_size": 3, "padding": 1}
c1 = nn.Conv2d(3, 8, **cfg)
def make(**kw):
    return nn.Conv2d(3, 8, 3, **kw)
args = (3, 8, 3)
c2 = nn.Conv2d(*args)
c3 = nn.Conv2d(*args, bias=False)
shape = (2, 3)
z = torch.zeros(*shape); o = torch.ones(*shape, dtype=torch.int64); r = torch.randn(*shape, 4)
z.view(*shape); z.permute(*reversed(range(2))); z.sum(*[0]); z.reshape(*shape, -1)
layers = [nn.Linear(2, 2) for _ in range(2)]
s = nn.Sequential(*layers, nn.ReLU()); t = nn.Sequential(*[*layers])
