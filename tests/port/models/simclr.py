"""Contrastive learning with NT-Xent."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=12, feat=8):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(dim, 16), nn.ReLU())
        self.projector = nn.Sequential(nn.Linear(16, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, feat))

    def forward(self, x):
        h = self.backbone(x)
        return self.projector(h)


def nt_xent(z1: torch.Tensor, z2: torch.Tensor, t: float = 0.5) -> torch.Tensor:
    n = z1.size(0)
    z = F.normalize(torch.cat([z1, z2]), dim=1)
    sim = z @ z.t() / t
    sim.fill_diagonal_(float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(0, n)])
    return F.cross_entropy(sim, target)


def views():
    rng = np.random.RandomState(0)
    for _ in range(5):
        x = rng.randn(6, 12)
        yield tuple(torch.from_numpy((x + 0.1 * rng.randn(6, 12)).astype(np.float32)) for _ in range(2))


def train(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for x1, x2 in views():
        z1, z2 = model(x1), model(x2)
        loss = nt_xent(z1, z2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def predict(model):
    model.eval()
    with torch.no_grad():
        return [nt_xent(model(a), model(b)) for a, b in views()]


if __name__ == "__main__":
    net = Encoder()
    print(train(net))
    print(predict(net))
