"""A Trainer class: criterion passed in, EMA weights, best checkpoint, tqdm, metric meters."""

import copy
import os
import tempfile
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from torch.optim import Optimizer
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    lr: float = 1e-2
    epochs: int = 5
    batch_size: int = 8
    ema_decay: float = 0.9
    device: str = "cuda" if torch.cuda.is_available() else "cpu"


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum, self.count = 0.0, 0

    def update(self, val, n=1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self):
        return self.sum / max(self.count, 1)


class EMA:
    def __init__(self, model, decay):
        self.module = copy.deepcopy(model).eval()
        self.decay = decay
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_v, model_v in zip(self.module.state_dict().values(), model.state_dict().values()):
            ema_v.copy_(self.decay * ema_v + (1.0 - self.decay) * model_v)


class FocalLoss(nn.Module):
    def __init__(self, gamma: float = 2.0):
        super().__init__()
        self.gamma = gamma
        self.ce = nn.CrossEntropyLoss(reduction="none")

    def forward(self, logits, target):
        logp = self.ce(logits, target)
        p = torch.exp(-logp)
        return ((1 - p) ** self.gamma * logp).mean()


class Residual(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(dim, dim), nn.BatchNorm1d(dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, x):
        return x + self.block(x)


def build(dim=6, depth=2, classes=3):
    layers = [nn.Linear(4, dim)]
    for _ in range(depth):
        layers.append(Residual(dim))
    layers.append(nn.Linear(dim, classes))
    return nn.Sequential(*layers)


class Trainer:
    def __init__(self, model: nn.Module, optimizer: Optimizer, criterion: nn.Module, config: Config):
        self.model = model.to(config.device)
        self.optimizer = optimizer
        self.criterion = criterion
        self.config = config
        self.device = config.device
        self.ema = EMA(model, config.ema_decay)
        self.best = float("inf")

    def train_one_epoch(self, loader) -> float:
        self.model.train()
        meter = AverageMeter()
        for x, y in loader:
            x, y = x.to(self.device), y.to(self.device)
            self.optimizer.zero_grad()
            logits = self.model(x)
            loss = self.criterion(logits, y)
            loss.backward()
            self.optimizer.step()
            self.ema.update(self.model)
            meter.update(loss.item(), x.size(0))
        return meter.avg

    @torch.no_grad()
    def evaluate(self, loader) -> float:
        self.ema.module.eval()
        meter = AverageMeter()
        for x, y in loader:
            x = x.to(self.device)
            y = y.to(self.device)
            meter.update(self.criterion(self.ema.module(x), y).item(), y.size(0))
        return meter.avg

    def fit(self, train_loader, val_loader, folder):
        history = []
        for epoch in range(self.config.epochs):
            history.append(self.train_one_epoch(train_loader))
            val = self.evaluate(val_loader)
            if val < self.best:
                self.best = val
                torch.save(self.model.state_dict(), os.path.join(folder, "best.pth"))
        self.model.load_state_dict(torch.load(os.path.join(folder, "best.pth"), map_location=self.device))
        return history


def get_loader(cfg, train=True):
    rng = np.random.RandomState(0 if train else 1)
    x = torch.as_tensor(rng.randn(24, 4), dtype=torch.float32)
    y = torch.as_tensor(rng.randint(0, 3, size=(24,)))
    return DataLoader(TensorDataset(x, y), batch_size=cfg.batch_size, shuffle=False, num_workers=0, pin_memory=True)


def train(model):
    cfg = Config()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
    trainer = Trainer(model, optimizer, FocalLoss(), cfg)
    with tempfile.TemporaryDirectory() as folder:
        return trainer.fit(get_loader(cfg), get_loader(cfg, False), folder)


def predict(model):
    model.eval()
    with torch.no_grad():
        return [model(x) for x, _ in get_loader(Config(), False)]


if __name__ == "__main__":
    torch.manual_seed(0)
    net = build()
    print(train(net))
    print(predict(net))
