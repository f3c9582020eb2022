import math
import torch
from torch import nn, Tensor


class Quant(nn.Module):
    def __init__(self, bits=4):
        super().__init__()
        self.levels = 2 ** bits - 1
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, x: Tensor) -> Tensor:
        y = (x / self.scale).clamp(-1.0, 1.0)
        q = torch.round(y * self.levels) / self.levels
        return (y + (q - y).detach()) * self.scale


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 8)
        self.q = Quant()
        self.b = nn.Linear(8, 2)
        for k, p in enumerate(self.parameters()):
            if p.dim() > 0:
                p.data = torch.sin(torch.arange(p.numel()) * 0.9 + k).reshape(p.shape) * 0.5

    def forward(self, x):
        return self.b(self.q(torch.tanh(self.a(x))))


if __name__ == "__main__":
    torch.manual_seed(0)
    net = QNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.cos(torch.arange(24.0)).reshape(6, 4)
    y = torch.stack([x.sum(1), x.prod(1)], dim=1)
    for step in range(5):
        opt.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        opt.step()
        print(step, round(float(loss), 5), round(float(net.q.scale), 5))
