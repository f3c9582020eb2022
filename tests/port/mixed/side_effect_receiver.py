import torch
from torch import nn
def f(make, model: nn.Module, q):
    q.pop().view(-1).size(0)
    make().detach().cpu().numpy()
    torch.zeros(q.pop(), q.pop()).numel()
    model(q.pop()).size(-1)
    torch.ones(3)[q.pop()].item()
    torch.randn(q.pop()).std(unbiased=False)
    torch.ones(2, 2).norm(p=q.pop(), dim=q.pop())
    return torch.ones(q.pop()).new_zeros(q.pop()), torch.rand(q.pop()).uniform_(q.pop(), q.pop())
