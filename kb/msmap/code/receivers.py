"""What a method is called on, as far as the code tells: a tensor, a module, an optimizer, ..."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable

from msmap.code.source import Source

Spelling = Callable[[ast.AST], tuple[str, bool] | None]

_OWNERS = (
    ("torch.Tensor.", "tensor"),
    ("torch.optim.lr_scheduler.", "scheduler"),
    ("torch.optim.", "optimizer"),
    ("torch.nn.functional.", "tensor"),
    ("torch.nn.init.", "tensor"),
    ("torch.nn.", "module"),
)
# What people call them; one word of a name, such as optimizer_G, is enough.
_NAMES = {
    "optimizer": {"opt", "optim", "optimizer", "optimiser", "adam", "sgd"},
    "scheduler": {"sched", "scheduler", "schedule"},
    "module": {
        "net", "network", "model", "module", "layer", "criterion", "backbone", "encoder",
        "decoder", "generator", "discriminator", "head", "block", "conv", "bn", "fc",
    },
    "tensor": {
        "x", "y", "z", "a", "b", "t", "v", "w", "h", "q", "k", "input", "inputs", "output",
        "outputs", "out", "tensor", "data", "image", "images", "img", "imgs", "label", "labels",
        "target", "targets", "loss", "logits", "mask", "weight", "bias", "grad", "pred", "mean",
        "hidden", "feat", "features", "batch", "indices", "index", "result", "noise",
    },
}  # fmt: skip


# Text, containers and what makes them are none of PyTorch's.
_PLAIN = (
    ast.Constant, ast.JoinedStr, ast.Dict, ast.List, ast.Set, ast.Tuple, ast.DictComp, ast.ListComp,
    ast.SetComp, ast.GeneratorExp,
)  # fmt: skip
_COMPUTED = (ast.BinOp, ast.UnaryOp, ast.Compare)
_MAKERS = {"dict", "list", "set", "tuple", "str", "open", "range", "sorted", "OrderedDict", "deque",
           "defaultdict", "Path", "vars", "zip", "map"}  # fmt: skip
_MODULES = {"np", "numpy", "os", "json", "re", "collections", "math", "random", "pathlib", "time"}


def _is_plain(function: ast.expr) -> bool:
    """Whether a call makes something of Python's own, or of NumPy."""
    if isinstance(function, ast.Name):
        return function.id in _MAKERS
    while isinstance(function, ast.Attribute):
        function = function.value
    return isinstance(function, ast.Name) and function.id in _MODULES


def owner_kind(method: str) -> str:
    """What a PyTorch method belongs to, by its full name; "" for anything else."""
    return next((kind for start, kind in _OWNERS if method.startswith(start)), "")


class Receivers:
    """The kinds of things in a source: by how they are made, else by what they are called."""

    def __init__(self, source: Source, spelling: Spelling) -> None:
        self._spelling = spelling
        self._modules = {node.name for node in source.all(ast.ClassDef) if node.bases}
        self._made: dict[str, str] = {}
        for node in source.all(ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)

    def kind(self, node: ast.expr) -> str:
        """tensor, module, optimizer, scheduler or other; "" if nothing tells."""
        made = self._made.get(ast.unparse(node)) if self._made else None
        if made := made or self._of_value(node):
            return made
        if isinstance(node, ast.Name):
            return "module" if node.id == "self" else _called(node.id)
        if isinstance(node, ast.Attribute):
            return _called(node.attr)
        # What a computation or an element gives is hardly ever anything else.
        return "tensor" if isinstance(node, _COMPUTED) else ""

    def _assign(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for one, its in zip(target.elts, value.elts, strict=False):
                self._assign(one, its)
        elif kind := self._of_value(value):
            self._made[ast.unparse(target)] = kind

    def _of_value(self, value: ast.expr) -> str:
        if isinstance(value, _PLAIN):
            return "other"
        if not isinstance(value, ast.Call):
            return ""
        function = value.func
        if isinstance(function, ast.Name) and function.id in self._modules:
            return "module"
        if isinstance(function, ast.Call):
            return "tensor" if self._of_value(function) == "module" else ""
        found = self._spelling(function)
        if found is None:
            return "other" if _is_plain(function) else ""
        parts = found[0].split(".")
        made = owner_kind(_full(parts))
        is_class = parts[-1][:1].isupper()
        return made if is_class or made == "tensor" else "" if made else "tensor"


def _full(parts: Iterable[str]) -> str:
    first, *rest = parts
    start = {"nn": ["torch", "nn"], "F": ["torch", "nn", "functional"], "optim": ["torch", "optim"]}
    return ".".join([*start.get(first, [first]), *rest])


def _called(name: str) -> str:
    words = [word for word in re.split(r"[_\d]+", name.lower()) if word]
    for kind, known in _NAMES.items():
        if known & set(words):
            return kind
    return ""
