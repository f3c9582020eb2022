def f():
    import torch
    return torch.zeros(3)
def g():
    return torch.zeros(3)
def h():
    from torch import zeros as ones, ones as zeros
    return ones(3), zeros(3)
class K:
    import torch as t
    x = t.zeros(2)
    def m(self):
        return self.t.ones(3), t.ones(3)
