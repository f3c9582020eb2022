import torch
try:
    x = torch.zeros(3)
except torch.cuda.OutOfMemoryError as torch:
    print(torch.args)
y = torch.ones(3)
try:
    pass
except* ValueError as nn:
    nn.split(ValueError)
