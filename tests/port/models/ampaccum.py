"""Mixed precision with gradients added up over batches, in a trainer that keeps its scaler."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.amp import GradScaler, autocast


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fc1 = nn.Linear(dim, dim * 2)
        self.fc2 = nn.Linear(dim * 2, dim)

    def forward(self, x):
        return x + self.fc2(F.gelu(self.fc1(self.norm(x))))


class Net(nn.Module):
    def __init__(self, dim=6, depth=2, classes=4):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(dim) for _ in range(depth)])
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        return self.head(self.blocks(x))


def batches(n):
    for i in range(n):
        yield torch.sin(torch.arange(24.0).view(4, 6) + i), torch.arange(4)


class Trainer:
    def __init__(self, model, accumulate=2, clip=0.5):
        self.model = model
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=0.01)
        self.scaler = GradScaler("cpu", init_scale=1024.0, growth_interval=2)
        self.accumulate = accumulate
        self.clip = clip

    def fit(self, loader):
        self.model.train()
        running, history = 0.0, []
        self.optimizer.zero_grad()
        for step, (x, y) in enumerate(loader):
            with autocast("cpu", enabled=False):
                loss = F.cross_entropy(self.model(x), y) / self.accumulate
            self.scaler.scale(loss).backward()
            running += loss.item()
            if (step + 1) % self.accumulate == 0:
                if self.clip > 0:
                    self.scaler.unscale_(self.optimizer)
                    nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad(set_to_none=True)
                history.append(running)
                running = 0.0
        return history


def train(model):
    return Trainer(model).fit(batches(10))


@torch.no_grad()
def predict(model):
    model.eval()
    with autocast("cpu", enabled=False):
        return torch.stack([model(x).softmax(-1) for x, _ in batches(2)])


if __name__ == "__main__":
    net = Net()
    print(train(net))
    print(predict(net))
