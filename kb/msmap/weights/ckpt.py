"""MindSpore's own checkpoints: one message of protobuf a tensor, and nothing else.

``Checkpoint.value`` (1) has ``tag`` (1) and ``tensor`` (2) of ``dims`` (1), ``tensor_type`` (2) and
``tensor_content`` (3). A tensor over 512 MiB stands in several of one tag. MindSpore's reader and
protobuf's take the whole file; here it is one tensor at a time, and MindSpore need not be there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from msmap.errors import WeightsError
from msmap.weights.mapped import Mapped
from msmap.weights.tensors import DTYPES, Held, pieces, raw

NAMES = {
    "float64": "Float64", "float32": "Float32", "float16": "Float16", "bfloat16": "BFloat16",
    "int64": "Int64", "int32": "Int32", "int16": "Int16", "int8": "Int8", "uint64": "UInt64",
    "uint32": "UInt32", "uint16": "UInt16", "uint8": "UInt8", "bool": "Bool",
}  # fmt: skip
_DTYPES = {name: dtype for dtype, name in NAMES.items()}
# As MindSpore cuts them.
_SLICE = 512 * 1024 * 1024
_VARINT, _WIDE, _BYTES, _NARROW = 0, 1, 2, 5
# With `crc_check` a file ends so: the name, and the CRC-32 of all before it in ten bytes.
_CHECKSUM, _CHECKSUM_LENGTH = b"crc_num", 17


@dataclass(slots=True)
class _Value:
    """A message: what it says of a tensor, and where its content stands."""

    tag: str
    dims: tuple[int, ...]
    kind: str
    start: int
    length: int


def is_one(file: Mapped) -> bool:
    """Whether a file begins as a checkpoint does: a value, and in it a tag."""
    try:
        field, kind, at = _key(file, 0, file.size)
        _, at = _varint(file, at, file.size)
        inner, told, at = _key(file, at, file.size)
    except WeightsError:
        return False
    return (field, kind, inner, told) == (1, _BYTES, 1, _BYTES)


def read(file: Mapped) -> tuple[dict[str, Held], dict[str, str]]:
    """The tensors of a file by name, and its texts.

    Raises:
        WeightsError: it is damaged, by its checksum too if it has one; encrypted or none; or holds
            what isn't a tensor.
    """
    pieces: dict[str, list[_Value]] = {}
    last = ""
    for one in _values(file):
        if one.tag in pieces and one.tag != last:
            raise file.damaged(f"tensor {one.tag} stands there twice")
        pieces.setdefault(one.tag, []).append(one)
        last = one.tag
    found: dict[str, Held] = {}
    texts: dict[str, str] = {}
    for tag, its in pieces.items():
        if its[0].kind == "str":
            content = b"".join(file.bytes(one.start, one.length) for one in its)
            texts[tag] = content.decode("utf-32-le", "replace")
        else:
            found[tag] = _tensor(file, tag, its)
    return found, texts


def _tensor(file: Mapped, tag: str, its: list[_Value]) -> Held:
    kind, dims = its[0].kind, its[0].dims
    if kind not in _DTYPES:
        raise file.damaged(f"tensor {tag}: type {kind!r} is none of {', '.join(_DTYPES)}")
    dtype, length = _DTYPES[kind], sum(one.length for one in its)
    # A number has no dimension in PyTorch, and here one of length 0.
    shape = () if dims == (0,) and length else dims
    if any(n < 0 for n in shape) or math.prod(shape) * DTYPES[dtype][0] != length:
        raise file.damaged(
            f"tensor {tag}: {dtype} {list(shape)} and its {length:,} bytes don't fit"
        )
    if len(its) == 1:
        return file.tensor(its[0].start, dtype, shape)

    def joined() -> Any:
        import numpy as np

        size = DTYPES[dtype][0]
        parts = [file.array(one.start, dtype, (one.length // size,)) for one in its]
        return np.concatenate(parts).reshape(shape)

    return Held(dtype, shape, joined, (its[0].start, shape))


def _values(file: Mapped) -> Iterator[_Value]:
    """The messages of a file in order."""
    at = 0
    while at < file.size:
        if file.bytes(at, len(_CHECKSUM)) == _CHECKSUM and at + _CHECKSUM_LENGTH == file.size:
            told = int.from_bytes(file.bytes(at + len(_CHECKSUM), 10), "big")
            if file.checksum(0, at) != told:
                raise file.damaged("its content isn't what its checksum was made of")
            return
        field, kind, at = _key(file, at, file.size)
        if (field, kind) != (1, _BYTES):
            raise file.damaged("it is no checkpoint of MindSpore's, or an encrypted one")
        length, at = _varint(file, at, file.size)
        if at + length > file.size:
            raise file.damaged(f"it ends at byte {file.size:,}, within a tensor")
        yield _value(file, at, at + length)
        at += length


def _value(file: Mapped, at: int, end: int) -> _Value:
    found = _Value("", (), "", 0, 0)
    seen = False
    while at < end:
        field, kind, at = _key(file, at, end)
        length, at = _varint(file, at, end)
        if kind != _BYTES or at + length > end:
            raise file.damaged(f"tensor {found.tag or '?'} can't be read")
        if field == 1:
            found.tag = file.bytes(at, length).decode("utf-8", "replace")
        elif field == 2:
            seen = True
            _fill(file, found, at, at + length)
        elif field == 3:
            raise file.damaged(f"{found.tag} is a map parameter, which PyTorch hasn't got")
        at += length
    if not seen or not found.tag:
        raise file.damaged("it is no checkpoint of MindSpore's")
    return found


def _fill(file: Mapped, found: _Value, at: int, end: int) -> None:
    """What a message says of its tensor."""
    dims: list[int] = []
    while at < end:
        field, kind, at = _key(file, at, end)
        number, at = _varint(file, at, end)
        if field == 1 and kind == _VARINT:
            dims.append(number)
            continue
        if kind != _BYTES or at + number > end:
            raise file.damaged(f"tensor {found.tag or '?'} can't be read")
        if field == 1:
            stop, place = at + number, at
            while place < stop:
                dim, place = _varint(file, place, stop)
                dims.append(dim)
        elif field == 2:
            found.kind = file.bytes(at, number).decode("utf-8", "replace")
        elif field == 3:
            found.start, found.length = at, number
        at += number
    found.dims = tuple(dims)


def _key(file: Mapped, at: int, end: int) -> tuple[int, int, int]:
    number, at = _varint(file, at, end)
    if number & 7 not in (_VARINT, _BYTES):
        raise file.damaged("it is no checkpoint of MindSpore's, or an encrypted one")
    return number >> 3, number & 7, at


def _varint(file: Mapped, at: int, end: int) -> tuple[int, int]:
    found = shift = 0
    while at < end and shift < 64:
        byte = file.memory[at]
        at += 1
        found |= (byte & 127) << shift
        if byte < 128:
            return found, at
        shift += 7
    raise file.damaged("it is cut short, or no checkpoint of MindSpore's")


def write(path: Path, tensors: Mapping[str, Held]) -> None:
    """Write tensors as MindSpore does."""
    with path.open("wb") as file:
        for name, tensor in tensors.items():
            if tensor.nbytes <= _SLICE:
                _head(file, name, tensor, tensor.nbytes)
                file.writelines(pieces(tensor))
                continue
            content = raw(tensor)
            for start in range(0, len(content), _SLICE):
                part = content[start : start + _SLICE]
                _head(file, name, tensor, len(part))
                file.write(part)


def _head(file: BinaryIO, name: str, tensor: Held, length: int) -> None:
    """What stands before so many bytes of a tensor."""
    dims = b"".join(b"\x08" + _number(n) for n in tensor.shape or (0,))
    kind = NAMES[tensor.dtype].encode()
    head = dims + b"\x12" + _number(len(kind)) + kind + b"\x1a" + _number(length)
    tag = name.encode()
    outer = b"\x0a" + _number(len(tag)) + tag + b"\x12" + _number(len(head) + length) + head
    file.write(b"\x0a" + _number(len(outer) + length) + outer)


def _number(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    found.append(value)
    return bytes(found)
