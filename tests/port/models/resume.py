"""Autoencoder with a learning rate schedule, resumed from a checkpoint."""

import os
import tempfile

import numpy as np
import torch
from torch import nn, optim
from torch.optim.lr_scheduler import CosineAnnealingLR
from torch.utils.data import DataLoader, Dataset


class Curves(Dataset):
    def __init__(self, n=12, transform=None):
        rng = np.random.RandomState(1)
        self.data = np.sin(np.linspace(0, 3, 10)[None] * rng.rand(n, 1) * 4).astype("float32")
        self.transform = transform

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        sample = torch.tensor(self.data[index])
        if self.transform:
            sample = self.transform(sample)
        return sample


class AutoEncoder(nn.Module):
    def __init__(self, n_in=10, n_hidden=3):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_in, 8), nn.Tanh(), nn.Linear(8, n_hidden))
        self.decoder = nn.Sequential(nn.Linear(n_hidden, 8), nn.Tanh(), nn.Linear(8, n_in), nn.Sigmoid())

    def forward(self, x):
        z = self.encoder(x)
        return self.decoder(z), z


def save_checkpoint(path, model, optimizer, scheduler, epoch, best):
    torch.save(
        {
            "epoch": epoch,
            "model_state_dict": model.state_dict(),
            "optimizer_state_dict": optimizer.state_dict(),
            "scheduler_state_dict": scheduler.state_dict(),
            "best": best,
        },
        path,
    )


def load_checkpoint(path, model, optimizer, scheduler):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model_state_dict"])
    optimizer.load_state_dict(checkpoint["optimizer_state_dict"])
    scheduler.load_state_dict(checkpoint["scheduler_state_dict"])
    return checkpoint["epoch"], checkpoint["best"]


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    running = 0.0
    for x in loader:
        optimizer.zero_grad()
        recon, z = model(x)
        loss = criterion(recon, x) + 1e-3 * z.pow(2).mean()
        loss.backward()
        optimizer.step()
        running += loss.item() * x.size(0)
    return running / len(loader.dataset)


def train(model):
    criterion = nn.MSELoss(reduction="mean")
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    scheduler = CosineAnnealingLR(optimizer, T_max=5)
    loader = DataLoader(Curves(), batch_size=4)
    best = float("inf")
    losses = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "last.pt")
        for epoch in range(3):
            loss = train_epoch(model, loader, optimizer, criterion)
            scheduler.step()
            losses.append(loss)
            if loss < best:
                best = loss
                save_checkpoint(path, model, optimizer, scheduler, epoch, best)
        start, best = load_checkpoint(path, model, optimizer, scheduler)
        for epoch in range(start + 1, start + 3):
            losses.append(train_epoch(model, loader, optimizer, criterion))
            scheduler.step()
    return losses


def predict(model):
    model.eval()
    with torch.inference_mode():
        recon, z = model(torch.stack([Curves()[i] for i in range(3)]))
    return [recon, z]


if __name__ == "__main__":
    net = AutoEncoder()
    print(train(net))
    print(predict(net))
