import torch
x = torch.zeros(3)
y = x
x += torch.ones(3)
x[0] -= torch.ones(1).item()
x @= torch.eye(3)
x //= 2
x **= torch.tensor(2)
x, y = y, x
(x := torch.ones(2)).add_(y[:2])
