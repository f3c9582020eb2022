"""Results of both frameworks in one form: the tensors and plain values in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

# Dtypes in which rounding shows in the first digits.
COARSE = ("float16", "bfloat16")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor or plain value in a result; ``dtype`` is the framework's own, without prefix."""

    value: Any
    dtype: str


def leaves(value: Any, where: str = "") -> list[tuple[str, Leaf]]:
    """The tensors and plain values in a result, each with its place, such as ``[0][1]``."""
    if isinstance(value, dict):
        return [leaf for k in value for leaf in leaves(value[k], f"{where}[{k!r}]")]
    is_size = type(value).__name__ == "Size"
    if isinstance(value, tuple | list) and not is_size:
        if all(isinstance(v, int | float | bool | str | None.__class__) for v in value):
            return [(where, Leaf(tuple(value), "tuple"))]
        return [leaf for i, v in enumerate(value) for leaf in leaves(v, f"{where}[{i}]")]
    return [(where, _leaf(value))]


def _leaf(value: Any) -> Leaf:
    module = type(value).__module__
    if type(value).__name__ == "Size":
        return Leaf(tuple(value), "tuple")
    if module.startswith("torch") and hasattr(value, "detach"):
        value = value.detach().resolve_conj().resolve_neg()
        name = str(value.dtype).removeprefix("torch.")
        return Leaf((value.float() if name == "bfloat16" else value).cpu().numpy(), name)
    # Not by its module: a Parameter's class is made at run time.
    if hasattr(value, "asnumpy"):
        name = str(value.dtype).lower()
        if name == "bfloat16":
            value = value.float()
        return Leaf(np.array(value.asnumpy()), name)
    if isinstance(value, np.ndarray | np.generic):
        return Leaf(np.asarray(value), str(value.dtype))
    # Where an object lies is another place in every run.
    text = _ADDRESS.sub("", str(value))
    if module.startswith(("torch", "mindspore")):
        text = text.removeprefix("torch.").lower()
        # MindSpore has a class for each family of dtypes, Float and UInt among them.
        dtype = module.startswith("mindspore") and module.endswith(".typing")
        return Leaf(text, "dtype" if dtype else type(value).__name__.lower())
    plain = value is None or isinstance(value, int | float | bool | str | complex)
    return Leaf(value if plain else text, type(value).__name__)
