"""Models of both frameworks whose weights are carried over and back, in one process with both.

``python -m tests.builders.carrying FOLDER DATABASE`` runs every case of ``CASES``: PyTorch's model
is saved, its checkpoint carried over with both models at hand, and the result carried back.
``FOLDER/done.json`` has what came out of each.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml


@dataclass(frozen=True)
class Case:
    """A model on both sides, as expressions; ``saved`` is what the file holds, of ``net``."""

    name: str
    torch: str
    mindspore: str
    input: str = ""
    saved: str = "net.state_dict()"
    key: str = ""


MODELS = Path(__file__).parents[1] / "weights" / "models.yaml"
CASES = [Case(**case) for case in yaml.safe_load(MODELS.read_text(encoding="utf-8"))]

DEFINED = """
def drawn(layer):
    with torch.no_grad():
        for value in (*layer.parameters(), *layer.buffers()):
            if value.is_floating_point():
                value.copy_(torch.rand_like(value) + 0.5)
    return layer

def renamed(cell):
    cell.weight.name = "matrix"
    return cell

class Attention(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def forward(self, x):
        return self.inner(x, x, x)[0]

class ToAttend(mn.Cell):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
    def construct(self, x):
        return self.inner(x, x, x)[0]

class Decoder(Attention):
    def forward(self, x):
        return self.inner(x, x)

class ToDecode(ToAttend):
    def construct(self, x):
        return self.inner(x, x)

class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.head = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
        self.head.weight = self.embedding.weight
    def forward(self, x):
        return self.head(self.embedding(x))

class TiedCell(mn.Cell):
    def __init__(self, tied=True):
        super().__init__()
        self.embedding, self.head = mn.Embedding(9, 4), mn.Dense(4, 9, has_bias=False)
        if tied:
            self.head.weight = self.embedding.embedding_table
    def construct(self, x):
        return self.head(self.embedding(x))

class Buffers(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.rand(3))
        self.register_buffer("shift", torch.rand(3), persistent=False)
        self.register_buffer("steps", torch.tensor(7))
    def forward(self, x):
        return x * self.scale + self.shift + self.steps

class BufferCell(mn.Cell):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", mindspore.ops.zeros(3))
        self.shift = mindspore.Parameter(mindspore.ops.zeros(3), requires_grad=False)
        self.register_buffer("steps", mindspore.Tensor(0, mindspore.int64))
    def construct(self, x):
        return x * self.scale + self.shift + self.steps

class Averaged(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 3), drawn(nn.BatchNorm1d(3)))
        self.average = copy.deepcopy(self.net)
    def forward(self, x):
        return self.net(x), self.average(x) * 2

class AveragedCell(mn.Cell):
    def __init__(self):
        super().__init__()
        self.net = mn.SequentialCell(mn.Dense(8, 3), mn.BatchNorm1d(3))
        self.average = mn.SequentialCell(mn.Dense(8, 3), mn.BatchNorm1d(3))
    def construct(self, x):
        return self.net(x), self.average(x) * 2
"""


def scope() -> dict[str, Any]:
    """What the cases are written with."""
    import copy

    import mindspore
    import torch

    torch.set_num_threads(1)
    mindspore.set_device("CPU")
    names: dict[str, Any] = {
        "torch": torch, "nn": torch.nn, "mindspore": mindspore, "mn": mindspore.nn,
        "mint": mindspore.mint.nn, "copy": copy,
    }  # fmt: skip
    exec(DEFINED, names)
    return names


def run(case: Case, names: dict[str, Any], states: Any, folder: Path) -> dict[str, Any]:
    """What comes out of a case."""
    import torch

    from msmap.weights import convert, layers, outputs

    torch.manual_seed(0)
    net, cell = eval(case.torch, names), eval(case.mindspore, names)
    there, kept, again = (folder / f"net{suffix}" for suffix in (".ckpt", ".pt", ".safetensors"))
    torch.save(eval(case.saved, names | {"net": net}), kept)
    live, cells = layers.live(net), layers.cells(cell)
    asked = convert.Asked(kept, there, case.key, live=live, cells=cells)
    done = convert.convert(asked, states)
    given = [outputs.inputs(case.input)] if case.input else []
    report = outputs.compared(done, net.float(), cell, given)
    back = convert.convert(convert.Asked(there, again, live=live, cells=cells), states)
    return {
        "placed": len(report.placed),
        "tied": [one.name for one in report.tied],
        "dropped": [one.name for one in report.dropped],
        "unplaced": [one.name for one in report.unplaced],
        "unset": [one.name for one in report.unset],
        "left": list(report.left),
        "prefix": report.prefix,
        "agrees": all(one.agrees for one in report.outputs),
        "error": max([one.absolute for one in report.outputs], default=None),
        "back": all(
            np.array_equal(done.torch[name].read(), tensor.read())
            for name, tensor in back.torch.items()
            if name in done.torch
        ),
        "not back": sorted(set(done.torch) - set(back.torch)),
        "unset back": [one.name for one in back.report.unset],
    }


def main(folder: Path, database: Path) -> None:
    """Run all cases."""
    from msmap.query.knowledge_base import KnowledgeBase
    from msmap.query.states import states

    warnings.simplefilter("ignore")
    with KnowledgeBase.open(database) as kb:
        found = states(kb)
    names = scope()
    done: dict[str, Any] = {}
    for case in CASES:
        try:
            done[case.name] = run(case, names, found, folder)
        except Exception as error:
            done[case.name] = {"raised": f"{type(error).__name__}: {error}"}
    for extra in EXTRA:
        done[extra.__name__] = extra(names, found, folder)
    (folder / "done.json").write_text(json.dumps(done), encoding="utf-8")


EXTRA: list[Callable[[dict[str, Any], Any, Path], Any]] = []


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
