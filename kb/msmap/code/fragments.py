"""Sources that train and don't import PyTorch: parts of a program, or lines that were pasted."""

from __future__ import annotations

import ast
import re
from typing import Literal

from msmap.code.source import Source

# Methods that nothing but training with PyTorch, or a framework like it, calls.
_TRAINS = (".zero_grad(", ".backward(")
_PERHAPS = (".train()", ".eval()", ".step()", ".to(", ".cuda(", ".detach()")
_METHODS = frozenset((
    "backward", "cpu", "cuda", "detach", "eval", "load_state_dict", "named_parameters",
    "parameters", "requires_grad_", "state_dict", "step", "to", "train", "zero_grad",
))  # fmt: skip
# Of these an argument tells.
_WITHOUT = ("step", "backward", "train", "eval", "detach", "cpu", "parameters", "zero_grad")
_DEVICES = ("device", "cuda", "cpu", "npu", "gpu")
# Frameworks that have such methods too.
_OTHERS = frozenset((
    "autograd", "chainer", "cupy", "flax", "jax", "jittor", "keras", "mindspore", "mxnet",
    "oneflow", "paddle", "tensorflow", "tinygrad",
))  # fmt: skip
# Who defines them has its own.
_OWN = ("def backward(", "def zero_grad(")


def mentions(source: Source) -> bool:
    """Whether a source says a word of PyTorch, but in the comments of an earlier run."""
    if not source.mentions("torch"):
        return False
    return not source.mentions(_MARK) or "torch" in _COMMENTS.sub("", source.whole)


_MARK = "# msmap: "
_COMMENTS = re.compile(rf"{_MARK}[^\n]*")


def says(source: Source) -> Literal["", "perhaps", "trains"]:
    """Whether a source that doesn't name PyTorch trains with it, as far as its methods tell."""
    strong = source.mentions(*_TRAINS)
    if not (strong or source.mentions(*_PERHAPS)) or source.mentions(*_OWN):
        return ""
    if not _OTHERS.isdisjoint(_imported(source)):
        return ""
    return "trains" if strong else "perhaps"


def is_fragment(source: Source) -> bool:
    """Whether a source is lines out of a training loop, without what stands around them."""
    imports = (*source.all(ast.Import), *source.all(ast.ImportFrom))
    return not imports and says(source) == "trains"


def names(source: Source) -> bool:
    """Whether the code itself names PyTorch."""
    if any(module == "torch" or module.startswith("torch") for module in _imported(source)):
        return True
    return source.mentions("torch") and any(
        getattr(node, "id", "") == "torch" for node in source.nodes.of(ast.Name)
    )


def _imported(source: Source) -> set[str]:
    """The packages that a source imports."""
    whole = (alias.name for node in source.all(ast.Import) for alias in node.names)
    parts = (node.module or "" for node in source.all(ast.ImportFrom) if not node.level)
    return {name.partition(".")[0] for name in (*whole, *parts)}


def is_of_training(node: ast.Call) -> bool:
    """Whether a method is one that training calls, as it calls it."""
    name = getattr(node.func, "attr", "")
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if name not in _METHODS:
        return False
    if name in ("to", "cuda"):
        texts = [ast.unparse(one).lower() for one in given]
        return name == "cuda" or any(word in text for text in texts for word in _DEVICES)
    plain = all(isinstance(one, ast.Constant | ast.Name) for one in given)
    return not given if name == "step" else name not in _WITHOUT or plain
