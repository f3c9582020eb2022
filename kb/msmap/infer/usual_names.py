"""What people call things: in one line of code its names tell, in a file they prove nothing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from msmap.infer.values.lattice import UNKNOWN, Instance, Value, instance

# One word of a name, such as optimizer_G, is enough.
_NAMES = {
    "optimizer": {"opt", "optim", "optimizer", "optimiser", "adam", "sgd"},
    "scheduler": {"sched", "scheduler", "schedule"},
    "module": {
        "net", "network", "model", "module", "layer", "criterion", "backbone", "encoder",
        "decoder", "generator", "discriminator", "head", "block", "conv", "bn", "fc",
    },
    "tensor": {
        "x", "y", "z", "a", "b", "t", "v", "w", "h", "input", "inputs", "output",
        "outputs", "out", "tensor", "data", "image", "images", "img", "imgs", "label", "labels",
        "target", "targets", "loss", "logits", "mask", "weight", "bias", "grad", "pred", "mean",
        "hidden", "feat", "features", "batch", "indices", "index", "result", "noise",
    },
}  # fmt: skip


def called(name: str) -> Value:
    """What something of that name usually is; unknown if nobody can tell."""
    words = {word for word in re.split(r"[_\d]+", name.lower()) if word}
    for kind, known in _NAMES.items():
        if known & words:
            return instance(kind, "", False, True)
    return UNKNOWN


def is_guess(value: Value) -> bool:
    """Whether the name alone says what something is."""
    return isinstance(value, Instance) and value.guessed


def is_scheduler(function: ast.Attribute, is_bound: Callable[[str], bool]) -> bool:
    """Whether a method is called on what many call ``lr_scheduler``, like PyTorch's module."""
    name = function.value
    return (
        isinstance(name, ast.Name)
        and name.id == "lr_scheduler"
        and function.attr.islower()
        and not is_bound(name.id)
    )
