import torch
x = torch.zeros(2)
del torch
try:
    y = torch.ones(2)
except NameError:
    torch = FakeTorch()
z = torch.ones(2)
