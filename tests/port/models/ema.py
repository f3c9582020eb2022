"""Exponential moving average of weights, warm-up and cosine schedule."""

import math
from copy import deepcopy

import numpy as np
import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR


class ModelEMA:
    """Keeps a moving average of everything in the model state_dict."""

    def __init__(self, model, decay=0.9):
        self.ema = deepcopy(model).eval()
        self.decay = decay
        for p in self.ema.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for ema_p, p in zip(self.ema.parameters(), model.parameters()):
            ema_p.mul_(self.decay).add_(p, alpha=1 - self.decay)
        for ema_b, b in zip(self.ema.buffers(), model.buffers()):
            ema_b.copy_(b)


class ConvMixer(nn.Module):
    def __init__(self, dim=8, depth=2, kernel_size=3, patch_size=2, n_classes=4):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, dim, kernel_size=patch_size, stride=patch_size), nn.GELU(), nn.BatchNorm2d(dim)
        )
        self.blocks = nn.ModuleList()
        for _ in range(depth):
            self.blocks.append(
                nn.Sequential(
                    nn.Conv2d(dim, dim, kernel_size, groups=dim, padding="same"),
                    nn.GELU(),
                    nn.BatchNorm2d(dim),
                )
            )
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(dim, n_classes)

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            x = x + block(x)
        return self.fc(self.pool(x).flatten(1))


def get_cosine_schedule_with_warmup(optimizer, warmup, total):
    def lr_lambda(step):
        if step < warmup:
            return float(step + 1) / float(max(1, warmup))
        progress = float(step - warmup) / float(max(1, total - warmup))
        return max(0.0, 0.5 * (1.0 + math.cos(math.pi * progress)))

    return LambdaLR(optimizer, lr_lambda)


def data():
    rng = np.random.RandomState(0)
    for _ in range(5):
        yield (
            torch.from_numpy(rng.randn(6, 3, 8, 8).astype(np.float32)),
            torch.from_numpy(rng.randint(0, 4, 6)),
        )


def train(model):
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True, weight_decay=5e-4)
    scheduler = get_cosine_schedule_with_warmup(optimizer, 2, 5)
    ema = ModelEMA(model)
    losses = []
    for x, y in data():
        loss = criterion(model(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        scheduler.step()
        ema.update(model)
        with torch.no_grad():
            losses.append(loss.item() + ema.ema(x).abs().mean().item())
    return losses


def predict(model):
    model.eval()
    with torch.no_grad():
        return [model(x).softmax(dim=-1) for x, _ in data()]


if __name__ == "__main__":
    net = ConvMixer()
    print(train(net))
    print(predict(net))
