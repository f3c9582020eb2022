import torch
def outer():
    torch = 3
    def inner():
        nonlocal torch
        torch = make()
        return torch.zeros(2)
    return inner
def other():
    global torch
    torch = make()
def third():
    return torch.zeros(2)
