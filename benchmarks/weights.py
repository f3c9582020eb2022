"""Checkpoints carried over against a copy of the same bytes, in one run: time, and memory taken.

Goals: bound by reading and writing the files, and no more memory than one tensor takes. A model of
some hundred layers, tensors of all sizes; each way is taken in turns with the copy, which sees to
it that its file has reached the disk as ours does, and the best run of each counts, since whatever
else the machine does only adds. No framework is needed.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np

from msmap.query.base.states import states
from msmap.query.knowledge_base import KnowledgeBase
from msmap.weights import torch_write
from msmap.weights.convert import Asked, convert
from msmap.weights.drafts import Said
from msmap.weights.layers import Table
from msmap.weights.tensors import Held, held

RUNS = 7
LAYERS = 48
WIDTH = 640
KINDS = {
    "embed": "torch.nn.Embedding", "blocks.*.norm": "torch.nn.LayerNorm",
    "blocks.*.fc1": "torch.nn.Linear", "blocks.*.fc2": "torch.nn.Linear",
    "blocks.*.conv": "torch.nn.Conv1d", "head": "torch.nn.Linear",
}  # fmt: skip
WAYS = (
    ("net.pt", "net.ckpt"), ("net.ckpt", "back.pt"), ("net.pt", "net.safetensors"),
    ("net.safetensors", "again.ckpt"), ("net.ckpt", "back.safetensors"),
)  # fmt: skip


def model() -> dict[str, Held]:
    random = np.random.RandomState(0)

    def tensor(*shape: int) -> Held:
        return held(random.standard_normal(shape).astype(np.float32))

    found = {"embed.weight": tensor(20_000, WIDTH)}
    for n in range(LAYERS):
        found |= {
            f"blocks.{n}.norm.weight": tensor(WIDTH), f"blocks.{n}.norm.bias": tensor(WIDTH),
            f"blocks.{n}.fc1.weight": tensor(2 * WIDTH, WIDTH),
            f"blocks.{n}.fc2.weight": tensor(WIDTH, 2 * WIDTH),
            f"blocks.{n}.conv.weight": tensor(WIDTH, 8, 3),
        }  # fmt: skip
    return found | {"head.weight": tensor(20_000, WIDTH)}


def copied(source: Path, to: Path) -> None:
    """What any program does at least: read all of it, and write it so that it is there."""
    with source.open("rb") as read, to.open("wb") as write:
        while part := read.read(1 << 20):
            write.write(part)
        write.flush()
        os.fsync(write.fileno())


def timed(action: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the wall, and of the processor."""
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    action()
    after = resource.getrusage(resource.RUSAGE_SELF)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, used


def main(folder: Path) -> None:
    tensors = model()
    largest = max(one.nbytes for one in tensors.values())
    torch_write.write(folder / "net.pt", tensors)
    size = (folder / "net.pt").stat().st_size
    del tensors
    with KnowledgeBase.open() as kb:
        known = states(kb)
    print(f"{size / 1e6:,.0f} MB, the largest tensor {largest / 1e6:,.0f} MB")
    print(f"{'':34}{'time':>8}{'processor':>11}   of a copy's; memory, of the largest tensor")
    for source, to in WAYS:
        asked = Asked(folder / source, folder / to, said=Said(Table(KINDS)))
        asked.back = source == "net.ckpt"
        tracemalloc.start()
        convert(asked, known)
        taken = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        ours, copies = [], []
        for _ in range(RUNS):
            copies.append(timed(lambda path=folder / source: copied(path, folder / "copy")))
            ours.append(timed(lambda asked=asked: convert(asked, known)))
        ratios = [min(one[n] for one in ours) / min(one[n] for one in copies) for n in (0, 1)]
        said = f"{source} to {to}"
        print(f"{said:34}{ratios[0]:7.2f}x{ratios[1]:10.2f}x{taken / largest:20.2f}x")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as name:
        main(Path(name))
