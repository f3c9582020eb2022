import torch
def double(x: torch.Tensor) -> torch.Tensor:
    """Twice.

    Example::

        >>> x = torch.zeros(3)
        >>> double(x).sum()
        tensor(0.)

    Args:
        x (torch.Tensor): what
    """
    return torch.mul(x, 2)  # torch.mul, not x * 2
