"""A variational autoencoder; the noise comes from outside, so that it can be the same."""

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F


class VAE(nn.Module):
    def __init__(self, x_dim=36, h_dim=24, z_dim=4):
        super(VAE, self).__init__()

        self.fc1 = nn.Linear(x_dim, h_dim)
        self.fc21 = nn.Linear(h_dim, z_dim)
        self.fc22 = nn.Linear(h_dim, z_dim)
        self.fc3 = nn.Linear(z_dim, h_dim)
        self.fc4 = nn.Linear(h_dim, x_dim)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar, eps):
        std = torch.exp(0.5 * logvar)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x, eps):
        mu, logvar = self.encode(x.view(-1, 36))
        z = self.reparameterize(mu, logvar, eps)
        return self.decode(z), mu, logvar


# Reconstruction + KL divergence losses summed over all elements and batch
def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x.view(-1, 36), reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + KLD


def loader():
    rng = np.random.RandomState(7)
    for _ in range(5):
        x = torch.from_numpy(rng.rand(8, 1, 6, 6).astype(np.float32))
        eps = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
        yield x, eps


def train(model):
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    model.train()
    train_loss = 0
    history = []
    for batch_idx, (data, eps) in enumerate(loader()):
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data, eps)
        loss = loss_function(recon_batch, data, mu, logvar)
        loss.backward()
        train_loss += loss.item()
        optimizer.step()
        history.append(loss.item() / len(data))
    print("====> Average loss: {:.4f}".format(train_loss / (8 * len(history))))
    return history


def reconstruct(model):
    model.eval()
    found = []
    with torch.no_grad():
        for data, eps in loader():
            recon, mu, logvar = model(data, eps)
            found += [recon, mu, logvar]
    return found


if __name__ == "__main__":
    vae = VAE()
    train(vae)
    reconstruct(vae)
