"""PyTorch's tensors as inputs of a check: by value where they are small, else by range."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from msmap.probe.samples.call import Gap

Spec = dict[str, Any]

DTYPES = (
    "float32", "float64", "float16", "bfloat16", "complex64", "complex128", "int64", "int32",
    "int16", "int8", "uint8", "uint16", "uint32", "uint64", "bool",
)  # fmt: skip
# Up to so many values are written out; beyond that, only those that mean more than their range.
_FEW = 64
_SOME = 400
_MOST = 20_000
_DIGITS = 5
_MATRIX = 2
# NumPy has no more.
_AXES = 32


def name_of(dtype: Any) -> str:
    """``float32`` of ``torch.float32``."""
    return str(dtype).removeprefix("torch.")


def spec(tensor: Any) -> Spec:
    """An input that gives the tensor, or, if it is large, another of its shape and range.

    Raises:
        Gap: it isn't dense, has a dtype that NumPy lacks, or more values than can be written.
    """
    import torch

    if tensor.is_sparse or tensor.layout != torch.strided or tensor.is_nested:
        raise Gap("sparse")
    if tensor.is_quantized or tensor.device.type != "cpu":
        raise Gap("sparse" if tensor.is_quantized else "device")
    dtype = name_of(tensor.dtype)
    if dtype not in DTYPES:
        raise Gap("dtype")
    plain = tensor.detach().resolve_conj().resolve_neg()
    if plain.ndim > _AXES:
        raise Gap("large")
    made: Spec = {"dtype": dtype}
    shape = list(plain.shape)
    if plain.numel() == 0:
        return {"shape": shape, **made}
    if plain.ndim >= _MATRIX and not plain.is_contiguous() and 0 not in plain.stride():
        made["edge"] = "non-contiguous"
    array = (plain.float() if dtype == "bfloat16" else plain).numpy()
    if array.size > _MOST:
        raise Gap("large")
    if array.size > _FEW:
        if not means(array):
            return {"shape": shape, **made, **_range(array)}
        if array.size > _SOME:
            raise Gap("large")
    return {"values": values(array), **made}


def values(array: Any) -> Any:
    """Nested lists of an array's values in few digits; as text where JSON lacks some of them."""
    kind = array.dtype.kind
    if kind in "biu":
        return array.tolist()
    told = _number if kind == "f" else _complex
    plain = kind == "f" and bool(np.isfinite(array).all())
    return _each(array.tolist(), told if plain else lambda v: str(told(v)))


def _each(value: Any, told: Any) -> Any:
    return [_each(item, told) for item in value] if isinstance(value, list) else told(value)


def _number(value: float) -> float:
    if not math.isfinite(value):
        return value
    rounded = float(f"{value:.{_DIGITS}g}")
    # The largest float16 rounds to what float16 lacks.
    return value if abs(rounded) > abs(value) > 1e4 else rounded


def _complex(value: complex) -> complex:
    return complex(_number(value.real), _number(value.imag))


def _range(array: Any) -> Spec:
    """Between which bounds values of the same kind are drawn; nothing for bool."""
    if array.dtype.kind == "b":
        return {}
    if array.dtype.kind in "iu":
        return {"low": int(array.min()), "high": int(array.max()) + 1}
    real = array.real
    return {"low": float(f"{float(real.min()):.2g}"), "high": float(f"{float(real.max()):.2g}")}


def means(array: Any) -> bool:
    """Whether values are other than drawn by chance: sorted, a permutation, a kind of matrix."""
    if array.dtype.kind == "b":
        return False
    if array.dtype.kind in "fc":
        if not np.isfinite(array).all():
            return True
        return _ordered(array) or _special(array) or np.unique(array).size < array.size * 0.8
    return _ordered(array) or _permuted(array)


def _ordered(array: Any) -> bool:
    if array.dtype.kind == "c" or array.shape[-1:] < (3,):
        return False
    return bool((array[..., 1:] >= array[..., :-1]).all())


def _permuted(array: Any) -> bool:
    line = np.sort(array, axis=-1)
    return bool(line.shape[-1] > 2 and (line[..., 1:] > line[..., :-1]).all())


def _special(array: Any) -> bool:
    """Whether it is a stack of symmetric, triangular or near-singular matrices, or sums to one."""
    if np.allclose(array.sum(axis=-1), 1, atol=1e-3):
        return True
    if array.ndim < _MATRIX or array.shape[-1] != array.shape[-2] or array.shape[-1] < _MATRIX:
        return False
    turned = np.conj(np.swapaxes(array, -1, -2))
    return bool(np.allclose(array, turned, atol=1e-4 * float(np.abs(array).max())))
