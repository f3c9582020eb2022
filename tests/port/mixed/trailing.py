import torch
x = torch.zeros(3,)
y = torch.cat([x, x,], dim=0,)
z = torch.arange(
    0, 10, 2,
)
a, b, = torch.max(x.view(1, 3), 1,)
c = (torch.zeros)(3)
d = (x).sum()
e = ((x.view(1, 3)).sum(1))
f = x.sum().item() if x.size(0) else -x.size(0) ** 2
g = not x.size(0) == 3, lambda: x.size(0), x.size()[0], x.size(-1)[0:1] if 0 else 1
h = [*x.size()], {**{"a": x.size(0)}}
i = x.max() - x.min() / -x.mean()
assert x.size(0) == 3, "size %d" % x.size(0)
print(x.size(0), end=""); del a
j = x.sum() .item ()
k = x . size ( 0 )
