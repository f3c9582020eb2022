"""The NumPy arrays that both sides of a check start from."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def array(name: str, spec: dict[str, Any]) -> Array:
    """The array of an input, the same on every run: seeded by its name.

    Floats are standard normal, or uniform between ``low`` and ``high``; integers uniform from
    ``low`` (0) to below ``high`` (10). bfloat16, which NumPy lacks, comes as float32. ``values``
    may have numbers as text where JSON has none: "nan", "-inf", "(1+2j)"; a ``shape`` beside them
    is theirs. What ``edge`` names is done to the result.
    """
    dtype = np.dtype("float32" if spec["dtype"] == "bfloat16" else spec["dtype"])
    made = _plain(name, spec, dtype)
    return np.asarray(_EDGES[spec["edge"]](made)) if "edge" in spec else made


def _plain(name: str, spec: dict[str, Any], dtype: np.dtype[Any]) -> Array:
    if "values" in spec:
        values = np.array(spec["values"]).astype(dtype)
        return values.reshape(spec["shape"]) if "shape" in spec else values
    shape = tuple(spec["shape"])
    random = np.random.default_rng(zlib.crc32(name.encode()))
    if dtype.kind == "b":
        return np.asarray(random.integers(0, 2, shape), dtype=dtype)
    if dtype.kind in "iu":
        low, high = int(spec.get("low", 0)), int(spec.get("high", 10))
        return np.asarray(random.integers(low, max(high, low + 1), shape), dtype=dtype)
    if "low" in spec or "high" in spec:
        values = random.uniform(spec.get("low", 0.0), spec.get("high", 1.0), shape)
    else:
        values = random.standard_normal(shape)
    if dtype.kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return np.asarray(values, dtype=dtype)


def _first(array: Array) -> Array:
    return np.asarray(array.reshape(-1)[0] if array.size else array)


def _empty(array: Array) -> Array:
    return array[:0] if array.ndim else array


def _one(array: Array) -> Array:
    """One row, so that it broadcasts against inputs that are left as they are."""
    return array[:1] if array.ndim else array


def _nonfinite(array: Array) -> Array:
    """With nan, both infinities and a negative zero among ordinary values, far from each other."""
    flat = array.reshape(-1).copy()
    odd = (np.nan, np.inf, -np.inf, -0.0)
    for number, value in enumerate(odd[: flat.size]):
        flat[number * flat.size // min(len(odd), flat.size)] = value
    return flat.reshape(array.shape)


def _extreme(array: Array) -> Array:
    """The largest and smallest integers in turn."""
    limits = np.iinfo(array.dtype)
    flat = np.resize(np.array([limits.max, limits.min, limits.max - 1, -1]), array.size)
    return flat.astype(array.dtype).reshape(array.shape)


_EDGES: dict[str, Callable[[Array], Array]] = {
    "zero-d": _first,
    "empty": _empty,
    "size-1": _one,
    "zeros": np.zeros_like,
    "nonfinite": _nonfinite,
    "overflow": _extreme,
    # The values stay; the tensor made of them has other strides.
    "non-contiguous": np.asarray,
}
