"""A small PyTorch in which every edit can be seen, and code that says which of it is edited.

A method becomes one of the same name that begins with ``t_`` (tensor), ``m_`` (module), ``o_``
(optimizer) or ``s_`` (scheduler), a function or a class its namesake in ``mindspore``. In code
``«old|new»`` stands where something is edited.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests.builders.support import base, function, layer, method, named

from msmap.assemble.base import Base
from msmap.port.rewrite import rewrite
from msmap.signatures.files import Api

_MARK = re.compile(r"«(.*?)\|(.*?)»", re.DOTALL)

_FUNCTIONS = {
    "zeros": "(*size) -> Tensor",
    "ones": "(*size) -> Tensor",
    "tensor": "(data) -> Tensor",
    "from_numpy": "(ndarray) -> Tensor",
    "cat": "(tensors, dim=0) -> Tensor",
    "sum": "(input) -> Tensor",
    "is_tensor": "(obj) -> bool",
    "nn.functional.pad": "(input, pad) -> Tensor",
    "nn.functional.relu": "(input) -> Tensor",
    "nn.init.zeros_": "(tensor) -> Tensor",
}
_OVERLOADED = {
    "max": ("(input: Tensor) -> Tensor", "(input: Tensor, dim: int) -> return_types.max"),
    "Tensor.max": ("() -> Tensor", "(dim: int) -> return_types.max"),
    "Tensor.size": ("(dim: None = None) -> Size", "(dim: int) -> int"),
}
_TENSOR = {
    "sum": "() -> Tensor", "clone": "() -> Tensor", "detach": "() -> Tensor",
    "add_": "(other) -> Tensor", "expand": "(*size) -> Tensor", "view": "(*size) -> Tensor",
    "std": "() -> Tensor", "repeat": "(*size) -> Tensor", "transpose": "(a, b) -> Tensor",
    "item": "() -> Number", "numpy": "() -> numpy.ndarray", "tolist": "() -> list",
    "chunk": "(n) -> tuple[Tensor, ...]", "unbind": "() -> tuple[Tensor, ...]",
    "cuda": "() -> Tensor", "double": "() -> Tensor", "backward": "()", "to": "(device) -> Tensor",
    "index": "(x) -> Tensor", "split": "(n) -> tuple[Tensor, ...]", "forward": "() -> Tensor",
}  # fmt: skip
_MODULE = ("train", "eval", "double", "cuda", "parameters", "state_dict", "to")
_LAYERS = {
    "Linear": "(a, b)", "BatchNorm2d": "(n)", "LSTM": "(a, b)", "ReLU": "()", "Sequential": "(*a)",
    "ModuleList": "(modules)", "Embedding": "(a, b)",
}  # fmt: skip
_OTHERS = ("optim.SGD", "optim.lr_scheduler.StepLR", "utils.data.DataLoader")
# Without a record: they stay as they are.
_DATASETS = ("Subset", "ConcatDataset", "TensorDataset")
_PROPERTIES = ("shape", "T", "grad", "data")


def _api(name: str) -> str:
    return f"targets: [{{api: {name}}}]\n"


def _method(kind: str, owner: str, prefix: str, name: str) -> tuple[Api, Api, tuple[str, str]]:
    """A method without parameters that matter, its counterpart and its record."""
    texts = _OVERLOADED.get(f"{owner}.{name}") or (_TENSOR.get(name, "()"),)
    if prefix != "t":
        texts = ("(*a)",)
    full, its = f"torch.{owner}.{name}", f"mindspore.{kind}.{prefix}_{name}"
    plain = [text.partition(" -> ")[0] for text in texts]
    ranked = "overloads: [" + ", ".join(f'"{text}"' for text in texts) + "]\n"
    body = _api(its) + (ranked if len(texts) > 1 else "")
    return method(full, *texts), method(its, *plain), (full, body)


def world(folder: Path) -> Base:
    """The base of all of them."""
    torch: list[Api] = []
    mindspore: list[Api] = []
    records: list[tuple[str, str]] = []
    methods = [
        *(("Tensor", "Tensor", "t", name) for name in (*_TENSOR, "max", "size")),
        *(("nn.Cell", "nn.Module", "m", name) for name in _MODULE),
        ("nn.Optimizer", "optim.Optimizer", "o", "step"),
        ("nn.Scheduler", "optim.lr_scheduler.LRScheduler", "s", "step"),
    ]
    for made in (_method(*one) for one in methods):
        torch.append(made[0])
        mindspore.append(made[1])
        records.append(made[2])
    for name, text in _FUNCTIONS.items():
        leaf = name.rpartition(".")[2]
        torch.append(function(f"torch.{name}", text))
        mindspore.append(function(f"mindspore.{leaf}", text.partition(" -> ")[0]))
        records.append((f"torch.{name}", _api(f"mindspore.{leaf}")))
    torch.append(function("torch.linalg.eigh", "(A) -> Tensor"))
    mindspore.append(function("mindspore.scipy.linalg.eigh", "(A)"))
    records.append(("torch.linalg.eigh", _api("mindspore.scipy.linalg.eigh")))
    torch.append(function("torch.max", *_OVERLOADED["max"]))
    mindspore.append(function("mindspore.max", "(input, dim=None)"))
    records.append(("torch.max", _api("mindspore.max")))
    for name, text in _LAYERS.items():
        torch.append(layer(f"torch.nn.{name}", text, call="(input)"))
        mindspore.append(layer(f"mindspore.nn.{name}", text, call="(x)"))
        state = {"BatchNorm2d": "gamma", "Embedding": "embedding_table"}.get(name)
        body = f"targets: [{{api: mindspore.nn.{name}"
        body += f", state: [{{torch: weight, mindspore: {state}}}]" if state else ""
        records.append((f"torch.nn.{name}", f"{body}}}]\n"))
    torch.append(layer("torch.nn.Module", "()"))
    mindspore.append(layer("mindspore.nn.Cell", "()"))
    cell = "targets: [{api: mindspore.nn.Cell, members: {forward: construct}}]\n"
    records.append(("torch.nn.Module", cell))
    torch.append(layer("torch.Tensor", "()"))
    mindspore.append(layer("mindspore.Tensor", "()"))
    records.append(("torch.Tensor", _api("mindspore.Tensor")))
    torch.append(layer("torch.nn.Parameter", "(data)"))
    mindspore.append(layer("mindspore.Parameter", "(data)"))
    records.append(("torch.nn.Parameter", _api("mindspore.Parameter")))
    for name in _OTHERS:
        leaf = name.rpartition(".")[2]
        torch.append(layer(f"torch.{name}", "(*a)"))
        mindspore.append(layer(f"mindspore.{leaf}", "(*a)"))
        records.append((f"torch.{name}", _api(f"mindspore.{leaf}")))
    torch += [layer(f"torch.utils.data.{name}", "(*a)") for name in _DATASETS]
    torch.append(function("torch.utils.data.random_split", "(dataset, lengths)"))
    for name in _PROPERTIES:
        torch.append(named(f"torch.Tensor.{name}", "property"))
        mindspore.append(named(f"mindspore.Tensor.t_{name}", "property"))
        records.append((f"torch.Tensor.{name}", _api(f"mindspore.Tensor.t_{name}")))
    torch += [
        named(f"torch.{name}", "module")
        for name in ("nn", "optim", "linalg", "nn.functional", "utils", "utils.data")
    ]
    return base(folder, torch, mindspore, *records)


def source(marked: str) -> str:
    """The code as a user wrote it."""
    return _MARK.sub(lambda match: match[1], marked)


def expected(marked: str) -> str:
    """The same with all edits made."""
    return _MARK.sub(lambda match: match[2], marked)


def ported(marked: str, facts: Base) -> str | None:
    """What becomes of the code as a user wrote it."""
    return rewrite(source(marked), facts, imports=False).code
