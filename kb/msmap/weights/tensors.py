"""Tensors as files of weights hold them: read one at a time, and no bit of them changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Buffer: TypeAlias = bytes | memoryview

# Each dtype by its usual name: bytes of a value, and the dtype of NumPy in which its bits are held.
# NumPy has no bfloat16 and no float8.
DTYPES: dict[str, tuple[int, str]] = {
    "float64": (8, "<f8"),
    "float32": (4, "<f4"),
    "float16": (2, "<f2"),
    "bfloat16": (2, "<u2"),
    "float8_e4m3fn": (1, "u1"),
    "float8_e5m2": (1, "u1"),
    "int64": (8, "<i8"),
    "int32": (4, "<i4"),
    "int16": (2, "<i2"),
    "int8": (1, "i1"),
    "uint64": (8, "<u8"),
    "uint32": (4, "<u4"),
    "uint16": (2, "<u2"),
    "uint8": (1, "u1"),
    "bool": (1, "?"),
    "complex64": (8, "<c8"),
    "complex128": (16, "<c16"),
}


@dataclass(frozen=True, slots=True)
class Held:
    """A tensor that a file holds, or that was made of one.

    ``read`` gives its values as an array of NumPy, those of bfloat16 and float8 as their bits.
    ``place`` says where they stand: tensors of one file with the same place share their values.
    ``copy`` gives their bytes piece by piece where a file has them in a row.
    """

    dtype: str
    shape: tuple[int, ...]
    read: Callable[[], Any]
    place: object = None
    copy: Callable[[], Iterator[Buffer]] | None = None

    @property
    def nbytes(self) -> int:
        """How many bytes its values take."""
        return math.prod(self.shape) * DTYPES[self.dtype][0]


def held(array: Any, dtype: str = "") -> Held:
    """An array of NumPy as a tensor; ``dtype`` where it only has the bits."""
    return Held(dtype or named(array), tuple(array.shape), lambda: array)


def named(array: Any) -> str:
    """The dtype of an array of NumPy by its usual name.

    Raises:
        TypeError: tensors have no such dtype.
    """
    name = str(array.dtype)
    if name not in DTYPES:
        raise TypeError(f"no tensor has dtype {name}")
    return name


def pieces(tensor: Held) -> Iterator[Buffer]:
    """The bytes of a tensor in rows, a piece after the other, each to be used before the next."""
    if tensor.copy is not None:
        yield from tensor.copy()
    else:
        yield raw(tensor)


def raw(tensor: Held) -> Any:
    """The bytes of a tensor in rows, as whoever writes a file takes them."""
    import numpy as np

    array = np.ascontiguousarray(tensor.read())
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    return array.reshape(-1).view(np.uint8).data if array.size else b""


def to_float(tensor: Held) -> Any:
    """Its values as floats, for a comparison: bfloat16 too."""
    import numpy as np

    array = tensor.read()
    if tensor.dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array
