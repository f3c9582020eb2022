import torch
def f(x: torch.Tensor, n):
    if 0 < x.size(0) <= x.size(1) != torch.numel(x):
        return torch.is_tensor(x) is not False == True
    ok = 0 <= n < x.size(-1) in (1, 2) and not x.dim() == 2 < 3
    return ok if x.max() > 0 > x.min() else -x.abs().max() ** 2
