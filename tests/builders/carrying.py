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
CASES = [Case(**case) for case in yaml.load(MODELS.read_text(encoding="utf-8"), yaml.CSafeLoader)]

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


def run(case: Case, names: dict[str, Any], states: Any, facts: Any, folder: Path) -> dict[str, Any]:
    """What comes out of a case."""
    import torch
    from tests.builders import around

    from msmap.compare import judge
    from msmap.record import both, inputs
    from msmap.record.factories import Job
    from msmap.weights import convert, layers

    torch.manual_seed(0)
    net, cell = eval(case.torch, names), eval(case.mindspore, names)
    there, kept, again = (folder / f"net{suffix}" for suffix in (".ckpt", ".pt", ".safetensors"))
    torch.save(eval(case.saved, names | {"net": net}), kept)
    live, cells = layers.live(net), layers.cells(cell)
    asked = convert.Asked(kept, there, case.key, live=live, cells=cells)
    done = convert.convert(asked, states)
    report = done.report
    found = None
    if case.input:
        jobs = Job("torch", net.float(), inputs.given([case.input])), Job("mindspore", cell)
        found = judge.compare(*both.loaded(done, *jobs), facts)
    back = convert.convert(convert.Asked(there, again, live=live, cells=cells), states)
    return {
        "placed": len(report.placed),
        "tied": [one.name for one in report.tied],
        "dropped": [one.name for one in report.dropped],
        "unplaced": [one.name for one in report.unplaced],
        "unset": [one.name for one in report.unset],
        "left": list(report.left),
        "prefix": report.prefix,
        "verdict": found and found.verdict,
        "findings": [one.en for one in found.findings] if found else [],
        "back": all(
            np.array_equal(done.torch[name].read(), tensor.read())
            for name, tensor in back.torch.items()
            if name in done.torch
        ),
        "not back": sorted(set(done.torch) - set(back.torch)),
        "unset back": [one.name for one in back.report.unset],
        "around": around.lost(there, states, live=live, cells=cells),
    }


def main(folder: Path, database: Path) -> None:
    """Run all cases."""
    from msmap.query.base.states import states
    from msmap.query.knowledge_base import KnowledgeBase
    from msmap.query.projects import compare as comparing

    warnings.simplefilter("ignore")
    names = scope()
    done: dict[str, Any] = {}
    with KnowledgeBase.open(database) as kb:
        found, facts = states(kb), comparing.facts(kb)
        for case in CASES:
            try:
                done[case.name] = run(case, names, found, facts, folder)
            except Exception as error:
                done[case.name] = {"raised": f"{type(error).__name__}: {error}"}
    for extra in EXTRA:
        done[extra.__name__] = extra(names, found, folder)
    (folder / "done.json").write_text(json.dumps(done), encoding="utf-8")


# Optimizers on both sides, and the class of MindSpore's where it isn't that which is usual.
_MOVING = "torch.optim.SGD(p, lr=0.1, momentum=0.9)"
OPTIMIZERS: dict[str, tuple[str, str, str | None]] = {
    "sgd": ("torch.optim.SGD(p, lr=0.1)", "exp.SGD(p, lr=0.1)", None),
    "momentum": (_MOVING, "exp.SGD(p, lr=0.1, momentum=0.9)", None),
    "sgd of nn": (_MOVING, "mn.SGD(p, 0.1, 0.9)", "mindspore.nn.SGD"),
    "momentum of nn": (_MOVING, "mn.Momentum(p, 0.1, 0.9)", "mindspore.nn.Momentum"),
    "adam": ("torch.optim.Adam(p, lr=0.1)", "exp.Adam(p, lr=0.1)", None),
    "adamw": ("torch.optim.AdamW(p, lr=0.1)", "exp.AdamW(p, lr=0.1)", None),
    "adam of nn": ("torch.optim.Adam(p, lr=0.1)", "mn.Adam(p, 0.1)", "mindspore.nn.Adam"),
    "rmsprop": (
        "torch.optim.RMSprop(p, lr=0.01, momentum=0.5)",
        "exp.RMSprop(p, lr=0.01, momentum=0.5)",
        None,
    ),
    "adam in two groups": (
        "torch.optim.Adam([{'params': [w for w in p if w.ndim > 1]},"
        " {'params': [w for w in p if w.ndim < 2], 'lr': 0.05}], lr=0.1)",
        "exp.Adam([{'params': [w for w in p if w.ndim > 1]},"
        " {'params': [w for w in p if w.ndim < 2], 'lr': 0.05}], lr=0.1)",
        None,
    ),
    "adagrad": ("torch.optim.Adagrad(p, lr=0.1)", "exp.Adagrad(p, lr=0.1)", None),
}  # fmt: skip


def resumed(names: dict[str, Any], states: Any, folder: Path) -> dict[str, Any]:
    """The losses of four steps after three: PyTorch's, MindSpore's, and PyTorch's from there."""
    return {name: _resumed(name, names, states, folder) for name in OPTIMIZERS}


def _resumed(name: str, names: dict[str, Any], states: Any, folder: Path) -> dict[str, Any]:
    import mindspore
    import torch

    from msmap.weights.convert import Asked, convert
    from msmap.weights.layers import cells, live

    theirs, ours, kind = OPTIMIZERS[name]
    torch.manual_seed(0)
    x, y = torch.randn(8, 5, 3), torch.randn(8, 2, 3)
    make = "nn.Sequential(nn.Conv1d(5, 4, 1), nn.BatchNorm1d(4), nn.Conv1d(4, 2, 1, bias=False))"
    net = eval(make, names)
    optimizer = eval(theirs, names | {"p": list(net.parameters())})
    torch_steps(net, optimizer, x, y, 3)
    files = {part: folder / f"{part}.{end}" for part, end in PARTS.items()}
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, files["run"])
    first = torch_steps(net, optimizer, x, y, 4)

    first_cell = "mn.Conv1d(5, 4, 1, has_bias=True)"
    cell = eval(f"mn.SequentialCell({first_cell}, mn.BatchNorm1d(4), mn.Conv1d(4, 2, 1))", names)
    trained = eval(
        ours, names | {"p": cell.trainable_params(), "exp": mindspore.experimental.optim}
    )
    plain = theirs.startswith("torch.optim.SGD(p, lr=0.1)")
    there = Asked(
        files["run"], files["net"], live=live(net), cells=cells(cell), optimizer=files["state"],
        optimizer_class=kind,
    )  # fmt: skip
    carried = convert(there, states).report
    mindspore.load_param_into_net(cell, mindspore.load_checkpoint(str(files["net"])))
    if not plain:
        mindspore.load_param_into_net(trained, mindspore.load_checkpoint(str(files["state"])))
    second = mindspore_steps(cell, trained, x, y, 4)
    third = torch_steps(net, optimizer, x, y, 4)
    if plain:
        return {"losses": [first, second], "open": [one.name for one in carried.unplaced]}

    mindspore.save_checkpoint(cell, str(files["net2"]))
    mindspore.save_checkpoint(trained, str(files["state2"]))
    # The file has the numbers of groups as this optimizer has them.
    back = Asked(
        files["net2"], files["run2"], live=live(net, optimizer), cells=cells(cell),
        optimizer=files["state2"], optimizer_class=kind,
    )  # fmt: skip
    returned = convert(back, states).report
    found = torch.load(files["run2"], weights_only=True)
    again = eval(make, names)
    again.load_state_dict(found["model"])
    going_on = eval(theirs, names | {"p": list(again.parameters())})
    settings = going_on.state_dict()["param_groups"]
    assert [g["params"] for g in settings] == [
        g["params"] for g in found["optimizer"]["param_groups"]
    ]
    going_on.load_state_dict({"state": found["optimizer"]["state"], "param_groups": settings})
    fourth = torch_steps(again, going_on, x, y, 4)
    return {
        "losses": [first + third, second + fourth],
        "open": [one.name for one in (*carried.unplaced, *returned.unplaced)],
    }


PARTS = {
    "run": "pt", "net": "ckpt", "state": "ckpt", "net2": "ckpt", "state2": "ckpt", "run2": "pt",
}  # fmt: skip


def torch_steps(net: Any, optimizer: Any, x: Any, y: Any, count: int) -> list[float]:
    """The losses of so many steps."""
    losses = []
    net.train()
    for _ in range(count):
        optimizer.zero_grad()
        loss = ((net(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def mindspore_steps(cell: Any, optimizer: Any, x: Any, y: Any, count: int) -> list[float]:
    """The same."""
    import mindspore

    given, wanted = mindspore.Tensor(x.numpy()), mindspore.Tensor(y.numpy())
    cell.set_train()

    def forward() -> Any:
        return ((cell(given) - wanted) ** 2).mean()

    step = mindspore.value_and_grad(forward, None, optimizer.parameters)
    losses = []
    for _ in range(count):
        loss, gradients = step()
        optimizer(gradients)
        losses.append(float(loss.asnumpy()))
    return losses


def exchanged(names: dict[str, Any], states: Any, folder: Path) -> dict[str, Any]:
    """What the frameworks and the library of safetensors read of our files, and we of theirs."""
    import mindspore
    import safetensors.torch
    import torch

    from msmap.weights import ckpt, contents, torch_write
    from msmap.weights import safetensors as ours

    torch.manual_seed(0)
    kinds = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32,
             torch.int16, torch.int8, torch.uint8, torch.bool]  # fmt: skip
    theirs = {str(kind)[6:]: (torch.randn(3, 2) * 4).to(kind) for kind in kinds}
    theirs |= {
        "number": torch.tensor(3),
        "none": torch.zeros(0, 2),
        "across": torch.randn(3, 2).t(),
    }

    def told(tensors: Any) -> dict[str, tuple[str, list[int], str]]:
        return {
            name: (
                str(one.dtype).removeprefix("torch."), list(one.shape),
                one.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes().hex(),
            )
            for name, one in tensors.items()
        }  # fmt: skip

    def held(path: Path) -> dict[str, tuple[str, list[int], str]]:
        from msmap.weights.tensors import raw

        found = contents.read(path).tensors
        return {n: (t.dtype, list(t.shape), bytes(raw(t)).hex()) for n, t in found.items()}

    at = {
        name: folder / f"exchange-{name}" for name in ("pt", "old", "st", "pt2", "st2", "ms", "ms2")
    }
    torch.save(theirs, at["pt"])
    torch.save(theirs, at["old"], _use_new_zipfile_serialization=False)
    safetensors.torch.save_file({n: t.contiguous() for n, t in theirs.items()}, at["st"])
    wanted = told(theirs)
    tensors = contents.read(at["pt"]).tensors
    torch_write.write(at["pt2"], tensors)
    ours.write(at["st2"], tensors, {"format": "pt"})
    ms = at["ms"].with_suffix(".ckpt")
    ckpt.write(ms, tensors)
    loaded = mindspore.load_checkpoint(str(ms))
    # MindSpore loads an empty tensor as a number, and can't write it.
    values = {n: t.get_bytes().hex() for n, t in loaded.items() if n != "none"}
    again = at["ms2"].with_suffix(".ckpt")
    mindspore.save_checkpoint(
        [{"name": n, "data": t} for n, t in loaded.items() if n != "none"], str(again)
    )
    full = {name: told_ for name, told_ in wanted.items() if name != "none"}
    return {
        "of torch": held(at["pt"]) == wanted,
        "of torch before 1.6": held(at["old"]) == wanted,
        "of safetensors": held(at["st"]) == wanted,
        "of mindspore": held(again) == full,
        "to torch": told(torch.load(at["pt2"], weights_only=True)) == wanted,
        "to torch, mapped": told(torch.load(at["pt2"], weights_only=True, mmap=True)) == wanted,
        "to safetensors": told(safetensors.torch.load_file(at["st2"])) == wanted,
        "to mindspore": values == {name: one[2] for name, one in full.items()},
        "a whole module before 1.6": _whole(folder),
        "hostile": _hostile(folder),
    }


def _whole(folder: Path) -> bool:
    """Whether the classes of a module that was saved as a whole are found in an old file."""
    import torch

    from msmap.weights import contents

    path, net = folder / "whole.pt", torch.nn.Sequential(torch.nn.Linear(2, 1))
    torch.save(net, path, _use_new_zipfile_serialization=False)
    return contents.read(path).kinds == {"": "torch.nn.Sequential", "0": "torch.nn.Linear"}


def _hostile(folder: Path) -> list[str]:
    """The state dict beside objects that would make a file, if their code ran."""
    import torch

    from msmap.weights import contents

    made = folder / "made"
    torch.save({"state_dict": {"w": torch.ones(2)}, "settings": _Hostile(made)}, folder / "h.pt")
    found = contents.read(folder / "h.pt")
    return [*found.tensors, *found.left, str(made.exists())]


class _Hostile:
    """What makes a file when it is read as a pickle."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (open, (str(self.path), "w"))


EXTRA: list[Callable[[dict[str, Any], Any, Path], Any]] = [resumed, exchanged]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
