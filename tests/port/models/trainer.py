#!/usr/bin/env python3
"""Image classifier: argparse, config dataclass, Trainer."""
import argparse
import logging
import os
import random
import tempfile
from dataclasses import dataclass, asdict
from pathlib import Path
from typing import Dict, List, Optional, Tuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

logger = logging.getLogger(__name__)


@dataclass
class TrainConfig:
    num_classes: int = 4
    width: int = 8
    lr: float = 0.05
    momentum: float = 0.9
    weight_decay: float = 1e-4
    epochs: int = 1
    batch_size: int = 8
    seed: int = 3
    device: str = "cpu"
    out_dir: str = ""


def seed_everything(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


class ToyImages(Dataset):
    def __init__(self, n: int, num_classes: int, seed: int = 0):
        rng = np.random.RandomState(seed)
        self.images = rng.rand(n, 3, 8, 8).astype(np.float32)
        self.labels = rng.randint(0, num_classes, n).astype(np.int64)

    def __len__(self) -> int:
        return len(self.images)

    def __getitem__(self, index: int) -> Tuple[torch.Tensor, int]:
        image = torch.from_numpy(self.images[index])
        return image, int(self.labels[index])


class ConvBlock(nn.Module):
    def __init__(self, in_ch: int, out_ch: int, stride: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(in_ch, out_ch, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(out_ch)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.bn(self.conv(x)), inplace=True)


class SmallCNN(nn.Module):
    def __init__(self, cfg: TrainConfig):
        super().__init__()
        w = cfg.width
        self.features = nn.Sequential(ConvBlock(3, w), ConvBlock(w, 2 * w, stride=2))
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.classifier = nn.Linear(2 * w, cfg.num_classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.pool(self.features(x)).flatten(1)
        return self.classifier(x)


class AverageMeter:
    def __init__(self):
        self.reset()

    def reset(self):
        self.sum = 0.0
        self.count = 0

    def update(self, val: float, n: int = 1):
        self.sum += val * n
        self.count += n

    @property
    def avg(self) -> float:
        return self.sum / max(1, self.count)


class Trainer:
    def __init__(self, model: nn.Module, cfg: TrainConfig, train_set: Dataset, val_set: Dataset):
        self.cfg = cfg
        self.device = torch.device(cfg.device)
        self.model = model.to(self.device)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(
            self.model.parameters(),
            lr=cfg.lr,
            momentum=cfg.momentum,
            weight_decay=cfg.weight_decay,
        )
        self.train_loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=False, drop_last=True)
        self.val_loader = DataLoader(val_set, batch_size=cfg.batch_size)
        self.best_acc = 0.0
        self.history: List[float] = []

    def train_epoch(self, epoch: int) -> float:
        self.model.train()
        meter = AverageMeter()
        for images, targets in self.train_loader:
            images = images.to(self.device, non_blocking=True)
            targets = targets.to(self.device, non_blocking=True)

            outputs = self.model(images)
            loss = self.criterion(outputs, targets)

            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

            meter.update(loss.item(), images.size(0))
            self.history.append(loss.item())
        logger.info("epoch %d loss %.4f", epoch, meter.avg)
        return meter.avg

    @torch.no_grad()
    def evaluate(self) -> float:
        self.model.eval()
        correct = total = 0
        for images, targets in self.val_loader:
            logits = self.model(images.to(self.device))
            preds = logits.argmax(dim=1)
            correct += (preds == targets.to(self.device)).sum().item()
            total += targets.size(0)
        return correct / total

    def fit(self) -> Dict[str, float]:
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch(epoch)
            acc = self.evaluate()
            if acc > self.best_acc:
                self.best_acc = acc
                self.save("best.pth")
        return {"loss": loss, "acc": acc, "best": self.best_acc}

    def save(self, name: str) -> None:
        if not self.cfg.out_dir:
            return
        os.makedirs(self.cfg.out_dir, exist_ok=True)
        torch.save(self.model.state_dict(), os.path.join(self.cfg.out_dir, name))


def parse_args(argv: Optional[List[str]] = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--no-cuda", action="store_true")
    return parser.parse_args(argv)


def train(model):
    cfg = TrainConfig()
    trainer = Trainer(model, cfg, ToyImages(40, cfg.num_classes), ToyImages(16, cfg.num_classes, 1))
    trainer.fit()
    return trainer.history


def predict(model):
    model.eval()
    with torch.no_grad():
        batch = torch.stack([ToyImages(4, 4, 5)[i][0] for i in range(4)])
        return F.softmax(model(batch), dim=-1).cpu().numpy()


def main(argv=None):
    args = parse_args(argv)
    cfg = TrainConfig(epochs=args.epochs, lr=args.lr)
    cfg.device = "cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu"
    cfg.out_dir = tempfile.mkdtemp()
    seed_everything(cfg.seed)
    print(asdict(cfg).keys())
    model = SmallCNN(cfg)
    n_params = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(f"params: {n_params}")
    trainer = Trainer(model, cfg, ToyImages(40, cfg.num_classes), ToyImages(16, cfg.num_classes, 1))
    print(sorted(trainer.fit()))
    best = Path(cfg.out_dir)
    print(len(list(best.iterdir())))
    fresh = SmallCNN(cfg)
    print(len(train(fresh)), predict(fresh).shape)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    main([])
