"""RealNVP: affine coupling layers with a log determinant."""

import numpy as np
import torch
import torch.nn as nn
from torch.distributions import MultivariateNormal, Normal


class Coupling(nn.Module):
    def __init__(self, dim, hidden, mask):
        super().__init__()
        self.register_buffer("mask", mask)
        self.s = nn.Sequential(nn.Linear(dim, hidden), nn.LeakyReLU(), nn.Linear(hidden, dim), nn.Tanh())
        self.t = nn.Sequential(nn.Linear(dim, hidden), nn.LeakyReLU(), nn.Linear(hidden, dim))

    def forward(self, x):
        x_masked = x * self.mask
        s = self.s(x_masked) * (1 - self.mask)
        t = self.t(x_masked) * (1 - self.mask)
        z = x_masked + (1 - self.mask) * (x * torch.exp(s) + t)
        return z, s.sum(dim=1)

    def inverse(self, z):
        z_masked = z * self.mask
        s = self.s(z_masked) * (1 - self.mask)
        t = self.t(z_masked) * (1 - self.mask)
        return z_masked + (1 - self.mask) * ((z - t) * (-s).exp())


class RealNVP(nn.Module):
    def __init__(self, dim=2, hidden=12, n_layers=4):
        super().__init__()
        self.dim = dim
        masks = [torch.tensor([i % 2, (i + 1) % 2], dtype=torch.float32) for i in range(n_layers)]
        self.layers = nn.ModuleList([Coupling(dim, hidden, m) for m in masks])
        self.register_buffer("loc", torch.zeros(dim))
        self.register_buffer("scale", torch.ones(dim))

    @property
    def prior(self):
        return Normal(self.loc, self.scale)

    def forward(self, x):
        log_det = x.new_zeros(x.shape[0])
        for layer in self.layers:
            x, ld = layer(x)
            log_det += ld
        return x, log_det

    def log_prob(self, x):
        z, log_det = self.forward(x)
        return self.prior.log_prob(z).sum(-1) + log_det

    def inverse(self, z):
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


def moons(rng, n=32):
    angle = rng.rand(n) * np.pi
    flip = rng.randint(0, 2, n)
    x = np.stack([np.cos(angle) * (1 - 2 * flip) + flip, np.sin(angle) * (1 - 2 * flip)], 1)
    return torch.tensor(x + 0.05 * rng.randn(n, 2), dtype=torch.float32)


def train(flow):
    optimizer = torch.optim.Adamax(flow.parameters(), lr=5e-3)
    rng = np.random.RandomState(0)
    losses = []
    for it in range(5):
        x = moons(rng)
        optimizer.zero_grad()
        loss = -flow.log_prob(x).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.detach().cpu().numpy().item())
    return losses


def predict(flow):
    flow.eval()
    x = moons(np.random.RandomState(1), 6)
    with torch.no_grad():
        z, log_det = flow(x)
        return [z, log_det, flow.inverse(z), flow.log_prob(x)]


if __name__ == "__main__":
    net = RealNVP()
    print(train(net))
    print(predict(net))
