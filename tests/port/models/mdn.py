"""A mixture density network: the negative log-likelihood of a mixture of normals."""

import math

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

ONEOVERSQRT2PI = 1.0 / math.sqrt(2 * math.pi)


class MDN(nn.Module):
    """Maps an input to the parameters of a mixture."""

    def __init__(self, in_features: int, out_features: int, num_gaussians: int):
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.num_gaussians = num_gaussians
        self.hidden = nn.Sequential(nn.Linear(in_features, 16), nn.ELU())
        self.pi = nn.Sequential(nn.Linear(16, num_gaussians), nn.Softmax(dim=1))
        self.sigma = nn.Linear(16, out_features * num_gaussians)
        self.mu = nn.Linear(16, out_features * num_gaussians)

    def forward(self, minibatch):
        h = self.hidden(minibatch)
        pi = self.pi(h)
        sigma = torch.exp(self.sigma(h))
        sigma = sigma.view(-1, self.num_gaussians, self.out_features)
        mu = self.mu(h)
        mu = mu.view(-1, self.num_gaussians, self.out_features)
        return pi, sigma, mu


def gaussian_probability(sigma, mu, target):
    target = target.unsqueeze(1).expand_as(sigma)
    ret = ONEOVERSQRT2PI * torch.exp(-0.5 * ((target - mu) / sigma) ** 2) / sigma
    return torch.prod(ret, 2)


def mdn_loss(pi, sigma, mu, target):
    prob = pi * gaussian_probability(sigma, mu, target)
    nll = -torch.log(torch.sum(prob, dim=1) + 1e-8)
    return torch.mean(nll)


def mean_of(pi, mu):
    return (pi.unsqueeze(-1) * mu).sum(dim=1)


def get_loader(n=40, batch_size=8):
    x = torch.linspace(-3, 3, n).unsqueeze(1)
    y = torch.sin(x) + 0.3 * torch.cos(5 * x)
    return DataLoader(TensorDataset(y, x), batch_size=batch_size, shuffle=False)


def train(model, epochs=1):
    optimizer = optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
    history = []
    for epoch in range(epochs):
        for i, (x, y) in enumerate(get_loader(), 1):
            model.zero_grad()
            pi, sigma, mu = model(x)
            loss = mdn_loss(pi, sigma, mu, y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            history.append(loss.item())
            if i % 2 == 0:
                print(f"epoch {epoch} step {i}: {loss.item():.4f} lr {scheduler.get_last_lr()[0]:.5f}")
    return history


def predict(model):
    model.eval()
    with torch.no_grad():
        pi, sigma, mu = model(torch.linspace(-1, 1, 6).unsqueeze(1))
    best = torch.argmax(pi, dim=1)
    return [mean_of(pi, mu), mu[torch.arange(6), best], sigma.max()]


if __name__ == "__main__":
    net = MDN(1, 1, 5)
    print(train(net))
    print(predict(net))
