"""A Siamese network on triplets."""

import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class TripletDataset(Dataset):
    def __init__(self, n_per_class=6, n_classes=4, seed=0):
        rng = np.random.default_rng(seed)
        centers = rng.normal(size=(n_classes, 1, 8, 8)).astype(np.float32)
        noise = rng.normal(scale=0.3, size=(n_classes * n_per_class, 1, 8, 8)).astype(np.float32)
        self.labels = np.repeat(np.arange(n_classes), n_per_class)
        self.images = torch.from_numpy(centers[self.labels] + noise)
        self.by_class = {c: np.where(self.labels == c)[0].tolist() for c in range(n_classes)}

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, idx):
        rng = random.Random(idx)
        anchor_label = self.labels[idx]
        positive = rng.choice(self.by_class[anchor_label])
        other = rng.choice([c for c in self.by_class if c != anchor_label])
        negative = rng.choice(self.by_class[other])
        return self.images[idx], self.images[positive], self.images[negative]


class EmbeddingNet(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1),
            nn.PReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.PReLU(),
            nn.AdaptiveAvgPool2d((2, 2)),
        )
        self.head = nn.Linear(16 * 4, dim)

    def forward(self, x):
        x = self.features(x)
        x = torch.flatten(x, 1)
        return F.normalize(self.head(x), p=2, dim=1)


class TripletNet(nn.Module):
    def __init__(self, embedding_net):
        super().__init__()
        self.embedding_net = embedding_net

    def forward(self, a, p, n):
        return self.embedding_net(a), self.embedding_net(p), self.embedding_net(n)


def train(model, epochs=1):
    loader = DataLoader(TripletDataset(), batch_size=5, shuffle=False)
    criterion = nn.TripletMarginLoss(margin=1.0, p=2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    history = []
    for epoch in range(epochs):
        model.train()
        for a, p, n in loader:
            optimizer.zero_grad()
            ea, ep, en = model(a, p, n)
            loss = criterion(ea, ep, en)
            loss.backward()
            optimizer.step()
            history.append(loss.item())
    return history


@torch.no_grad()
def evaluate(model):
    model.eval()
    data = TripletDataset(seed=1)
    emb = model.embedding_net(data.images)
    dist = torch.cdist(emb, emb)
    same = F.pairwise_distance(emb[:4], emb[1:5])
    cos = F.cosine_similarity(emb[:4], emb[6:10])
    return [dist, same, cos]


if __name__ == "__main__":
    net = TripletNet(EmbeddingNet())
    print(train(net))
    print(evaluate(net))
