"""Files of ``torch.save``: an archive since PyTorch 1.6, one pickle after the other before."""

from __future__ import annotations

import zipfile
import zlib
from typing import Any

from msmap.errors import WeightsError
from msmap.weights import pickled
from msmap.weights.mapped import Mapped
from msmap.weights.pickled import Storage
from msmap.weights.tensors import DTYPES

ZIP = b"PK\x03\x04"
_MAGIC = 0x1950A86A20F9469CFC6C
# More of a pickle than this is none of weights.
_MOST = 1 << 30


def read_archive(file: Mapped) -> tuple[Any, tuple[str, ...]]:
    """What an archive holds, tensors as ``Held``; and the names of others' classes in it.

    Raises:
        WeightsError: it is damaged, or another archive.
    """
    try:
        archive = zipfile.ZipFile(file.path)
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise file.damaged("the archive is cut short or damaged") from None
    with archive:
        entries = {info.filename: info for info in archive.infolist()}
        root = next((name[:-9] for name in entries if name.endswith("/data.pkl")), None)
        if root is None:
            raise WeightsError(f"{file.path} is an archive, but none of torch.save")
        if f"{root}/constants.pkl" in entries:
            raise WeightsError(
                f"{file.path} is a compiled model of torch.jit.save: save its state_dict() "
                "instead, with torch.save"
            )
        order = f"{root}/byteorder"
        if order in entries and _content(file, archive, order) == b"big":
            raise WeightsError(f"{file.path} has the values' bytes in big-endian order")
        content = _content(file, archive, f"{root}/data.pkl")
        places = {name: _place(file, info) for name, info in entries.items()}

    def storage(pid: Any) -> Storage:
        key, dtype, numel = pickled.asked(pid)
        name = f"{root}/data/{key}"
        if name not in entries:
            raise ValueError(f"the archive has no values for storage {key}")
        start, length = places[name]
        if entries[name].compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"the values of storage {key} are compressed")
        return _storage(file, key, dtype, numel, start, length)

    return pickled.load(pickled.opened(content), storage, str(file.path))


def _content(file: Mapped, archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        with archive.open(name) as one:
            found = one.read(_MOST + 1)
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError, zlib.error):
        raise file.damaged("the archive is damaged") from None
    if len(found) > _MOST:
        raise WeightsError(f"{file.path}: {name} in the archive is too large for a pickle of names")
    return found


def _place(file: Mapped, info: zipfile.ZipInfo) -> tuple[int, int]:
    """The first byte of an entry's content, and how many there are."""
    head = file.bytes(info.header_offset, 30)
    start = info.header_offset + 30
    if len(head) == 30:
        start += int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    return start, info.file_size


def _storage(file: Mapped, key: str, dtype: str, numel: int, start: int, length: int) -> Storage:
    if numel * DTYPES[dtype][0] > length or start + length > file.size:
        raise ValueError(
            f"storage {key} is to have {numel:,} values of {dtype}, and the file ends before"
        )

    def values(first: int, count: int, kind: str) -> Any:
        return file.array(start + first * DTYPES[kind][0], kind, (count,))

    return Storage(key, dtype, numel, values, lambda at, count: file.pieces(start + at, count))


def read_legacy(file: Mapped) -> tuple[Any, tuple[str, ...]]:
    """The same of a file from before PyTorch 1.6.

    Raises:
        WeightsError: it is damaged, or no file of torch.save.
    """
    starts: dict[str, int] = {}
    asked: dict[str, int] = {}

    def storage(pid: Any) -> Storage:
        key, dtype, numel = pickled.asked(pid)
        asked[key] = max(asked.get(key, 0), numel * DTYPES[dtype][0])

        def values(first: int, count: int, kind: str) -> Any:
            return file.array(starts[key] + first * DTYPES[kind][0], kind, (count,))

        return Storage(
            key, dtype, numel, values, lambda at, count: file.pieces(starts[key] + at, count)
        )

    name = str(file.path)
    with file.path.open("rb") as opened:
        magic, _ = pickled.load(opened, storage, name)
        if magic != _MAGIC:
            raise WeightsError(
                f"{name} is a pickle, but none of torch.save: write it with "
                "torch.save(model.state_dict(), ...)"
            )
        for _ in range(2):
            pickled.load(opened, storage, name)
        found, foreign = pickled.load(opened, storage, name)
        keys, _ = pickled.load(opened, storage, name)
        at = opened.tell()
    sizes = [str(key) for key in keys] if isinstance(keys, list) else []
    for key in sizes:
        # The number of values comes first; of which dtype they are, the pickle has said.
        count = int.from_bytes(file.bytes(at, 8), "little")
        length = asked.get(key, 0)
        starts[key] = at + 8
        if at + 8 + length > file.size or (key in asked and count * 16 < length):
            raise file.damaged(f"it ends within storage {key}")
        at += 8 + length
    if missing := next((key for key in asked if key not in starts), None):
        raise file.damaged(f"it has no values for storage {missing}")
    return found, foreign
