"""Comparing two models against one forward and backward of both, in one process.

    python benchmarks/compare.py [BATCH]

The model is a residual network on pictures of 32 x 32. Processor time of this process, on one
thread, the least of three; the recordings stay in memory.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import mindspore
import numpy as np
import torch
from mindspore import nn, ops

from msmap.compare import judge
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import compare as comparing
from msmap.record import both, running
from msmap.record.factories import Job

WIDTH, BLOCKS = 48, 4


class Torch(torch.nn.Module):
    """PyTorch's side."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = torch.nn.Conv2d(3, WIDTH, 3, padding=1)
        self.convs = torch.nn.ModuleList(
            torch.nn.Conv2d(WIDTH, WIDTH, 3, padding=1) for _ in range(2 * BLOCKS)
        )
        self.norms = torch.nn.ModuleList(torch.nn.BatchNorm2d(WIDTH) for _ in range(2 * BLOCKS))
        self.head = torch.nn.Linear(WIDTH, 10)

    def forward(self, x: Any) -> Any:
        """Logits."""
        x = self.stem(x)
        for at in range(0, 2 * BLOCKS, 2):
            y = torch.relu(self.norms[at](self.convs[at](x)))
            x = torch.relu(x + self.norms[at + 1](self.convs[at + 1](y)))
        return self.head(x.mean((2, 3)))


class Ported(nn.Cell):
    """MindSpore's side."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, WIDTH, 3, pad_mode="pad", padding=1, has_bias=True)
        self.convs = nn.CellList([
            nn.Conv2d(WIDTH, WIDTH, 3, pad_mode="pad", padding=1, has_bias=True)
            for _ in range(2 * BLOCKS)
        ])  # fmt: skip
        self.norms = nn.CellList([nn.BatchNorm2d(WIDTH) for _ in range(2 * BLOCKS)])
        self.head = nn.Dense(WIDTH, 10)

    def construct(self, x: Any) -> Any:
        """Logits."""
        x = self.stem(x)
        for at in range(0, 2 * BLOCKS, 2):
            y = ops.relu(self.norms[at](self.convs[at](x)))
            x = ops.relu(x + self.norms[at + 1](self.convs[at + 1](y)))
        return self.head(x.mean((2, 3)))


def least(run: Callable[[], object]) -> float:
    """The least processor time of three."""
    found = []
    for _ in range(3):
        begin = time.process_time()
        run()
        found.append(time.process_time() - begin)
    return min(found)


def main(batch: int) -> None:
    torch.set_num_threads(1)
    mindspore.set_device("CPU")
    inputs = np.random.default_rng(0).standard_normal((batch, 3, 32, 32)).astype(np.float32)
    one, other = Job("torch", Torch(), inputs), Job("mindspore", Ported(), inputs)
    one.model.train()
    other.model.set_train()
    args = (torch.from_numpy(inputs),), (mindspore.Tensor(inputs),)
    plain = [
        least(lambda: running._torch(one, args[0], {})),
        least(lambda: running._mindspore(other, args[1], {})),
    ]
    with KnowledgeBase.open() as kb:
        facts = comparing.facts(kb)
        for values in ("tensors", "statistics"):
            found = []

            def compare(values: str = values, found: list[Any] = found) -> None:
                pair = both.record(one, other, facts, "train", values, {"dropout": False})
                found.append(judge.compare(*pair, facts))

            took = least(compare)
            ratio = took / sum(plain)
            print(f"{values}: {took:.2f} s, {ratio:.2f}x of {plain[0]:.2f} + {plain[1]:.2f} s:"
                  f" {found[-1].verdict}")  # fmt: skip


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
