import torch
x = torch.zeros(3)
y = x
y.add_(1)
print(x)
v = x.view(3, 1)
v.mul_(2)
x[0] = 5
x[x > 1] = 0
x += 1
x[1] += 1
y = x.clone().zero_()
def f(t: torch.Tensor):
    t.add_(1); t += 1; t.data.mul_(2)
f(x)
a = torch.ones(2, 2)
a[:, 0].fill_(3)
a.t_(); a.squeeze_(); a.unsqueeze_(0)
torch.add(x, 1, out=y)
b = a.transpose(0, 1); b.zero_()
