import torch
def nxt(it):
    return next(it)
def f(it, x: torch.Tensor):
    a = torch.clamp(nxt(it), min=nxt(it), max=nxt(it))
    b = x.masked_fill(nxt(it) > 0, nxt(it))
    c = torch.norm(nxt(it), dim=nxt(it))
    d = torch.nn.functional.softmax(nxt(it), dim=nxt(it))
    e = torch.full((nxt(it), 2), nxt(it))
    g = torch.linspace(nxt(it), nxt(it), nxt(it))
    h = x.std(nxt(it)), x[nxt(it)].clamp_(0, nxt(it))
    return a, b, c, d, e, g, h
