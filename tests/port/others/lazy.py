import importlib
def backend(name="math"):
    torch = importlib.import_module(name)
    return torch.sqrt(9), torch.cos(0), torch.log(1)
def lazy(flag):
    if flag:
        import cmath as torch
    else:
        import math as torch
    return torch.sqrt(4), torch.exp(0)
print(backend(), lazy(True), lazy(False))
