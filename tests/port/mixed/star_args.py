import torch
from torch import nn
def f(*args, **kw):
    a = torch.zeros(*args)
    b = torch.cat(*args, **kw)
    c = nn.Linear(*args, bias=False)
    d = nn.Conv2d(*args, **kw)
    e = torch.stack([*args], *kw.values())
    g = torch.zeros(*(2, 3), dtype=torch.float32)
    h = torch.ones(2, *[3, 4])
    i = torch.reshape(a, *[(-1,)])
    j = a.view(*a.shape[:-1], -1)
    k = a.permute(*range(a.dim())[::-1])
    return a, b, c, d, e, g, h, i, j, k, print(*torch.ones(3))
