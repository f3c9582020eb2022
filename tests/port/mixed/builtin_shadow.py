import torch
from torch import sum, abs, all
def f(xs):
    return sum(xs), abs(xs), all(xs)
def g(sum, abs=abs):
    return sum(1), abs(torch.ones(2))
any = torch.any
any(torch.ones(2))
