"""Files of safetensors: a header in JSON, and the values one after the other.

The library of that name reads values as bytes or with a framework, and takes all tensors at once
to write them; here it is one at a time, bfloat16 too, with no framework. Tests hold both to it.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msmap.weights.mapped import Mapped
from msmap.weights.tensors import DTYPES, Held, pieces

NAMES = {
    "float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16", "int64": "I64",
    "int32": "I32", "int16": "I16", "int8": "I8", "uint64": "U64", "uint32": "U32",
    "uint16": "U16", "uint8": "U8", "bool": "BOOL", "float8_e4m3fn": "F8_E4M3",
    "float8_e5m2": "F8_E5M2", "complex64": "C64",
}  # fmt: skip
_DTYPES = {name: dtype for dtype, name in NAMES.items()}
# As the library has it: a longer header is no header.
_MOST = 100_000_000
# What MindSpore's `crc_check` adds to the metadata: the CRC-32 of names and values in their order.
_CHECKSUM = "crc_num"


def is_one(file: Mapped) -> bool:
    """Whether a file begins with a header that fits in it, whatever else its first byte means."""
    length = int.from_bytes(file.bytes(0, 8), "little")
    return length <= file.size - 8 and file.bytes(8, 1) == b"{"


def read(file: Mapped) -> dict[str, Held]:
    """The tensors of a file by name.

    Raises:
        WeightsError: its header isn't one, or says what can't be; or its values aren't those that
            its checksum was made of, if it has one.
    """
    length = int.from_bytes(file.bytes(0, 8), "little")
    if length > min(_MOST, file.size - 8):
        raise file.damaged(
            f"the header says that it takes {length:,} bytes, and the file has {file.size:,}"
        )
    start = 8 + length
    found: dict[str, Held] = {}
    ends: list[tuple[int, int, str]] = []
    header = _header(file, length)
    metadata = header.pop("__metadata__", None)
    for name, told in header.items():
        dtype, shape, first, last = _entry(file, name, told)
        size = math.prod(shape) * DTYPES[dtype][0]
        if last - first != size:
            raise file.damaged(
                f"tensor {name}: {dtype} {list(shape)} takes {size:,} bytes, and the header gives "
                f"it {last - first:,}"
            )
        if last > file.size - start:
            raise file.damaged(
                f"tensor {name} ends at byte {start + last:,}, and the file at {file.size:,}"
            )
        ends.append((first, last, name))
        found[name] = file.tensor(start + first, dtype, shape)
    before, owner = 0, ""
    for first, last, name in sorted(ends):
        if first < before:
            raise file.damaged(f"tensors {owner} and {name} overlap")
        before, owner = max(before, last), name
    if isinstance(metadata, dict) and _CHECKSUM in metadata:
        places = {name: (start + first, last - first) for first, last, name in ends}
        if _checksum(file, places) != str(metadata[_CHECKSUM]):
            raise file.damaged("its content isn't what its checksum was made of")
    return found


def _checksum(file: Mapped, places: Mapping[str, tuple[int, int]]) -> str:
    found = 0
    for name in sorted(places):
        found = file.checksum(*places[name], zlib.crc32(name.encode("utf-8"), found))
    return str(found)


def _header(file: Mapped, length: int) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise file.damaged(f"{twice} stands twice in the header")
        return made

    try:
        found = json.loads(file.bytes(8, length).decode("utf-8"), object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise file.damaged("the header isn't JSON") from None
    if not isinstance(found, dict):
        raise file.damaged("the header lists no tensors")
    return found


def _entry(file: Mapped, name: str, told: Any) -> tuple[str, tuple[int, ...], int, int]:
    """The dtype, shape, first and last byte of a tensor, as the header says."""
    try:
        dtype, shape, (first, last) = told["dtype"], tuple(told["shape"]), told["data_offsets"]
    except (TypeError, KeyError, ValueError):
        raise file.damaged(
            f"tensor {name}: the header lacks dtype, shape or data_offsets"
        ) from None
    numbers = (*shape, first, last)
    if any(type(n) is not int or not 0 <= n < 1 << 62 for n in numbers) or last < first:
        raise file.damaged(
            f"tensor {name}: shape {list(shape)} and bytes {first} to {last} can't be"
        )
    if dtype not in _DTYPES:
        raise file.damaged(f"tensor {name}: dtype {dtype} is none of {', '.join(_DTYPES)}")
    return _DTYPES[dtype], shape, first, last


def write(path: Path, tensors: Mapping[str, Held], metadata: Mapping[str, str]) -> None:
    """Write tensors, as the library does: those of large values first, so that all are aligned."""
    order = sorted(tensors, key=lambda name: (-DTYPES[tensors[name].dtype][0], name))
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    at = 0
    for name in order:
        one = tensors[name]
        header[name] = {
            "dtype": NAMES[one.dtype],
            "shape": list(one.shape),
            "data_offsets": [at, at + one.nbytes],
        }
        at += one.nbytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with path.open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for name in order:
            file.writelines(pieces(tensors[name]))
