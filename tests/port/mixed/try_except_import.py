try:
    import torch
except ImportError:
    torch = None
try:
    from torch.nn import functional as F
except ImportError:
    import my_functional as F
def f(x):
    if torch is None:
        return None
    return F.relu(torch.zeros(3))
