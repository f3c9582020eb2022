import torch
def f(xs):
    if (torch := xs.get("torch")) is not None:
        return torch.zeros(3)  # their zeros
    return xs
x = torch.ones(2)
