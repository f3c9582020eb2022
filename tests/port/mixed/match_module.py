import torch
def f(cmd, model):
    match cmd:
        case torch.float32:
            return 1
        case torch.nn.Linear(in_features=n):
            return n
    return torch.zeros(2).to(torch.float32)
