import torch
class Holder:
    torch = Fake()
    a = torch.zeros(3)
    def m(self):
        return torch.zeros(3)
    b = [torch.ones(1) for _ in range(2)]
