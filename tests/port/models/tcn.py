"""A temporal convolutional network whose layers come from PyTorch's."""

from typing import Callable, Dict, Type

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalConv1d(nn.Conv1d):
    """Sees no later steps: it pads on the left alone."""

    def __init__(self, in_channels, out_channels, kernel_size, dilation=1, bias=True):
        super().__init__(in_channels, out_channels, kernel_size, dilation=dilation, bias=bias)
        self.left = (kernel_size - 1) * dilation

    def forward(self, x):
        return super().forward(F.pad(x, (self.left, 0)))


class ChannelNorm(nn.LayerNorm):
    """Normalises over channels, which stand in front of time."""

    def __init__(self, channels):
        super().__init__(channels, eps=1e-6)

    def forward(self, x):
        return super().forward(x.transpose(1, 2)).transpose(1, 2)


class Scaled(nn.Linear):
    def forward(self, x):
        return F.linear(x, self.weight * self.in_features**-0.5, self.bias)


class Pointwise(nn.Conv1d):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        nn.init.constant_(self.bias, 0.1)


class Swish(nn.SiLU):
    pass


class Block(nn.Module):
    def __init__(self, width, dilation, norm: Callable[[int], nn.Module], act: Type[nn.Module]):
        super().__init__()
        self.conv = CausalConv1d(width, width, 2, dilation=dilation)
        self.norm = norm(width)
        self.act = act()
        self.point = Pointwise(width, width, kernel_size=1)

    def forward(self, x):
        return x + self.point(self.act(self.norm(self.conv(x))))


class TCN(nn.Module):
    def __init__(self, inputs=3, width=8, classes=4, depth=3):
        super().__init__()
        self.start = CausalConv1d(inputs, width, 3, bias=False)
        self.blocks = nn.Sequential(*[Block(width, 2**i, ChannelNorm, Swish) for i in range(depth)])
        self.head = Scaled(width, classes)

    def forward(self, batch: Dict[str, torch.Tensor]) -> torch.Tensor:
        x = batch["x"].permute(0, 2, 1)
        h = self.blocks(self.start(x)).mean(dim=-1)
        return self.head(h)


def batches(n=5, size=4, steps=9):
    for i in range(n):
        t = torch.arange(size * steps * 3, dtype=torch.float32).reshape(size, steps, 3)
        yield {"x": torch.sin(0.3 * t + i), "y": (torch.arange(size) + i) % 4}


def train(model):
    criterion = nn.CrossEntropyLoss(label_smoothing=0.1)
    optimizer = torch.optim.RAdam(model.parameters(), lr=0.02)
    losses = []
    model.train()
    for batch in batches():
        optimizer.zero_grad()
        loss = criterion(model(batch), batch["y"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def predict(model):
    model.eval()
    return [F.softmax(model(batch), dim=-1) for batch in batches(2)]


if __name__ == "__main__":
    net = TCN()
    print(train(net))
    print(predict(net))
