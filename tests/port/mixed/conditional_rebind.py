import torch
import numpy
if flag:
    torch = numpy
x = torch.zeros((2, 3))
for torch in [numpy]:
    pass
y = torch.zeros((2, 3))
with open("x") as torch:
    torch.read()
