"""Files of ``torch.save`` written without PyTorch: ``torch.load(weights_only=True)`` reads them."""

from __future__ import annotations

import math
import struct
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msmap.weights.pickled import STORAGES
from msmap.weights.tensors import Buffer, Held, pieces

_KINDS = {dtype: name for name, dtype in STORAGES.items() if name != "UntypedStorage"}
# Values begin where a processor likes them to.
_ALIGNED = 64
_ROOT = "archive"


def write(path: Path, content: Mapping[str, Any] | Held) -> None:
    """Write dictionaries, lists, plain values, and tensors; those of one place once."""
    storages: dict[object, Held] = {}
    keys: dict[object, str] = {}
    pickle = b"\x80\x02" + _value(content, storages, keys) + b"."
    with path.open("wb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        _put(archive, "data.pkl", [pickle], len(pickle))
        _put(archive, "byteorder", [b"little"], 6)
        for place, tensor in storages.items():
            _put(archive, f"data/{keys[place]}", pieces(tensor), tensor.nbytes)
        _put(archive, "version", [b"3\n"], 2)


def _put(archive: zipfile.ZipFile, name: str, content: Iterable[Buffer], length: int) -> None:
    info = zipfile.ZipInfo(f"{_ROOT}/{name}")
    large = length >= zipfile.ZIP64_LIMIT // 2
    assert archive.fp is not None
    at = archive.fp.tell() + 30 + len(info.filename) + (20 if large else 0)
    # An extra field of its own fills up to the next boundary, as in PyTorch's.
    gap = (-at - 4) % _ALIGNED
    info.extra = struct.pack("<2sH", b"FB", gap) + b"Z" * gap
    with archive.open(info, "w", force_zip64=large) as file:
        for piece in content:
            file.write(piece)


def _value(item: Any, storages: dict[object, Held], keys: dict[object, str]) -> bytes:
    if isinstance(item, Held):
        return _tensor(item, storages, keys)
    if isinstance(item, Mapping):
        pairs = [_value(part, storages, keys) for pair in item.items() for part in pair]
        return b"}(" + b"".join(pairs) + b"u"
    if isinstance(item, list):
        return b"](" + b"".join(_value(one, storages, keys) for one in item) + b"e"
    if isinstance(item, tuple):
        return b"(" + b"".join(_value(one, storages, keys) for one in item) + b"t"
    return _plain(item)


def _plain(item: Any) -> bytes:
    if item is None:
        return b"N"
    if isinstance(item, bool):
        return b"\x88" if item else b"\x89"
    if isinstance(item, int):
        if -(1 << 31) <= item < 1 << 31:
            return b"J" + struct.pack("<i", item)
        content = item.to_bytes(item.bit_length() // 8 + 1, "little", signed=True)
        return b"\x8a" + bytes([len(content)]) + content
    if isinstance(item, float):
        return b"G" + struct.pack(">d", item)
    text = str(item).encode("utf-8", "surrogatepass")
    return b"X" + struct.pack("<I", len(text)) + text


def _tensor(tensor: Held, storages: dict[object, Held], keys: dict[object, str]) -> bytes:
    place = tensor.place if tensor.place is not None else id(tensor)
    if place not in storages:
        storages[place] = tensor
        keys[place] = str(len(keys))
    strides = [1]
    for n in reversed(tensor.shape[1:]):
        strides.insert(0, strides[0] * max(n, 1))
    count = math.prod(tensor.shape)
    typed = tensor.dtype in _KINDS
    kind = _KINDS[tensor.dtype] if typed else "UntypedStorage"
    home = "torch" if typed else "torch.storage"
    storage = b"(" + _plain("storage") + _global(home, kind) + _plain(keys[place])
    storage += _plain("cpu") + _plain(count if typed else tensor.nbytes) + b"tQ"
    made = _global("torch._utils", f"_rebuild_tensor_v{2 if typed else 3}") + b"(" + storage
    made += _plain(0) + _value(tensor.shape, storages, keys)
    made += _value(tuple(strides[: len(tensor.shape)]), storages, keys) + _plain(False)
    made += _global("collections", "OrderedDict") + b")R"
    return made + (b"" if typed else _global("torch", tensor.dtype)) + b"tR"


def _global(module: str, name: str) -> bytes:
    return f"c{module}\n{name}\n".encode()
