"""Supervised contrastive learning: a loss module of one's own, a momentum encoder, set_grad_enabled."""

import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader


class PairDataset(torch.utils.data.Dataset):
    def __init__(self, n=20):
        rng = np.random.RandomState(4)
        self.x = rng.randn(n, 8).astype(np.float32)
        self.noise = 0.1 * rng.randn(n, 8).astype(np.float32)
        self.y = rng.randint(0, 3, n)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), torch.from_numpy(self.x[i] + self.noise[i]), int(self.y[i])


class SupConLoss(nn.Module):
    """Supervised contrastive loss."""

    def __init__(self, temperature=0.2):
        super(SupConLoss, self).__init__()
        self.temperature = temperature

    def forward(self, features, labels=None, mask=None):
        batch_size = features.shape[0]
        if labels is not None:
            labels = labels.contiguous().view(-1, 1)
            mask = torch.eq(labels, labels.T).float()
        elif mask is None:
            mask = torch.eye(batch_size, dtype=torch.float32)
        contrast_count = features.shape[1]
        contrast_feature = torch.cat(torch.unbind(features, dim=1), dim=0)
        logits = torch.div(torch.matmul(contrast_feature, contrast_feature.T), self.temperature)
        logits_max, _ = torch.max(logits, dim=1, keepdim=True)
        logits = logits - logits_max.detach()
        mask = mask.repeat(contrast_count, contrast_count)
        logits_mask = torch.scatter(torch.ones_like(mask), 1, torch.arange(batch_size * contrast_count).view(-1, 1), 0)
        mask = mask * logits_mask
        exp_logits = torch.exp(logits) * logits_mask
        log_prob = logits - torch.log(exp_logits.sum(1, keepdim=True))
        mean_log_prob_pos = (mask * log_prob).sum(1) / mask.sum(1).clamp(min=1.0)
        return -mean_log_prob_pos.mean()


class Encoder(nn.Module):
    def __init__(self, dim_in=8, feat_dim=6):
        super().__init__()
        self.encoder = nn.Linear(dim_in, 12)
        self.head = nn.Sequential(nn.Linear(12, 12), nn.ReLU(inplace=True), nn.Linear(12, feat_dim))

    def forward(self, x):
        feat = F.relu(self.encoder(x))
        return F.normalize(self.head(feat), dim=1)


def make():
    return Encoder()


def run_epoch(model, momentum_model, loader, criterion, optimizer, phase, m=0.9):
    losses = []
    for x1, x2, labels in loader:
        with torch.set_grad_enabled(phase == "train"):
            f1, f2 = model(x1), model(x2)
            features = torch.cat([f1.unsqueeze(1), f2.unsqueeze(1)], dim=1)
            loss = criterion(features, labels)
            if phase == "train":
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                with torch.no_grad():
                    for p, q in zip(model.parameters(), momentum_model.parameters()):
                        q.data.mul_(m).add_(p.data, alpha=1 - m)
        losses.append(loss.item())
    return losses


def train(model):
    momentum_model = copy.deepcopy(model)
    for p in momentum_model.parameters():
        p.requires_grad = False
    criterion = SupConLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    loader = DataLoader(PairDataset(), batch_size=4)
    return run_epoch(model, momentum_model, loader, criterion, optimizer, "train")


def predict(model):
    model.eval()
    with torch.no_grad():
        return [model(torch.from_numpy(PairDataset(6).x))]


if __name__ == "__main__":
    net = make()
    print(train(net))
    print(predict(net))
