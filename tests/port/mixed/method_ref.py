import torch
from torch import nn
x = torch.ones(3)
f = x.sum; g = torch.sum; h = torch.Tensor.view; k = nn.Linear
print(f(), g(x), h(x, -1), k(2, 3), list(map(torch.exp, [x])), list(map(torch.Tensor.size, [x])), sorted([x], key=torch.sum), functools.reduce(torch.add, [x, x]) if 0 else 0)
ops = {"relu": torch.relu, "tanh": torch.tanh}; print(ops["relu"](x))
fn = getattr(torch, "relu"); act = getattr(nn, "ReLU")(); opt = getattr(torch.optim, "SGD")
print(fn(x), act(x), getattr(x, "sum")(), hasattr(torch, "compile"), hasattr(x, "grad"))
def act_by(name): return getattr(torch.nn.functional, name)
from functools import partial
norm = partial(nn.LayerNorm, eps=1e-6); soft = partial(torch.softmax, dim=-1); print(norm(3), soft(x))
