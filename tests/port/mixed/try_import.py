try:
    import torch
    HAS_TORCH = True
except ImportError:
    torch = None
    HAS_TORCH = False
try:
    import torch.nn as nn
except ImportError:
    class nn:
        Module = object
class Net(nn.Module):
    def forward(self, x):
        return x
def to_tensor(x):
    if not HAS_TORCH:
        raise RuntimeError("no torch")
    return torch.tensor(x)
def is_tensor(x):
    return HAS_TORCH and isinstance(x, torch.Tensor)
def to_numpy(x):
    if torch is not None and torch.is_tensor(x):
        return x.detach().cpu().numpy()
    return x
