"""A checkpoint of MindSpore's carried to PyTorch and back again, bits as they fall."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from msmap.weights import ckpt, contents
from msmap.weights.convert import Asked, convert
from msmap.weights.states import States
from msmap.weights.tensors import DTYPES, Held, held, raw


def lost(model: Path, states: States, **known: Any) -> list[str]:
    """The names whose bytes don't come back, of a checkpoint with the names of another.

    Args:
        model: a checkpoint of the model's, whose values are replaced by any.
        states: the records' state mappings.
        known: what is known of the model, as ``Asked`` takes it.
    """
    begin, torch, end = (model.with_name(name) for name in ("bits.ckpt", "bits.pt", "again.ckpt"))
    random = np.random.RandomState(0)
    ckpt.write(begin, {n: _drawn(t, random) for n, t in contents.read(model).tensors.items()})
    convert(Asked(begin, torch, **known), states)
    convert(Asked(torch, end, **known), states)
    return differing(contents.read(begin).tensors, contents.read(end).tensors)


def differing(one: dict[str, Held], other: dict[str, Held]) -> list[str]:
    """The names of tensors that another file hasn't, or has with other bytes."""
    return sorted(n for n, t in one.items() if n not in other or _told(t) != _told(other[n]))


def _told(tensor: Held) -> tuple[str, tuple[int, ...], bytes]:
    return tensor.dtype, tensor.shape, bytes(raw(tensor))


def _drawn(tensor: Held, random: np.random.RandomState) -> Held:
    size, dtype = DTYPES[tensor.dtype]
    bits = random.randint(0, 2 if dtype == "?" else 256, tensor.nbytes // size * size)
    values = np.frombuffer(bits.astype(np.uint8).tobytes(), dtype).reshape(tensor.shape)
    return held(values, tensor.dtype)
