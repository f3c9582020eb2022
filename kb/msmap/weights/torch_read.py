"""Files of ``torch.save``: an archive since PyTorch 1.6, one pickle after the other before."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from msmap.errors import WeightsError
from msmap.weights import pickled
from msmap.weights.mapped import Mapped
from msmap.weights.pickled import Storage
from msmap.weights.tensors import DTYPES, Buffer

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
            raise WeightsError("{} is an archive, but none of torch.save", file.path)
        if f"{root}/constants.pkl" in entries:
            raise WeightsError(
                "{} is a compiled model of torch.jit.save: save its state_dict() instead, with "
                "torch.save",
                file.path,
            )
        # `torch.serialization.set_crc32_options(False)` leaves all checksums 0.
        summed = any(info.CRC for info in entries.values())
        places = {name: _place(file, info) for name, info in entries.items()}

        def content(name: str) -> bytes:
            return _content(file, archive, name) if summed else file.bytes(*places[name])

        if f"{root}/byteorder" in entries and content(f"{root}/byteorder") == b"big":
            raise WeightsError("{} has the values' bytes in big-endian order", file.path)
        names = content(f"{root}/data.pkl")

    def owner(key: str) -> str:
        return next(pickled.owners(found, key), "") or f"of storage {key}"

    def storage(pid: Any) -> Storage:
        key, dtype, numel = pickled.asked(pid)
        name = f"{root}/data/{key}"
        if name not in entries:
            raise ValueError(f"the archive has no values for storage {key}")
        if entries[name].compress_type != zipfile.ZIP_STORED:
            raise ValueError(f"the values of storage {key} are compressed")
        start, length = places[name]
        if numel * DTYPES[dtype][0] > length or start + length > file.size:
            raise ValueError(
                f"storage {key} is to have {numel:,} values of {dtype}, and the file ends before"
            )
        checksum = entries[name].CRC if summed else None
        values = _Values(file, start, length, checksum, lambda: owner(key))
        return Storage(key, dtype, numel, values.read, values.copy)

    found, foreign = pickled.load(pickled.opened(names), storage, str(file.path))
    return found, foreign


class _Values:
    """The bytes of a storage in an archive, held to the checksum that this has of them.

    It is worked out while they are copied as a whole; else once, before the first are used.
    """

    def __init__(
        self, file: Mapped, start: int, length: int, checksum: int | None,
        owner: Callable[[], str],
    ) -> None:  # fmt: skip
        self.file, self.start, self.length = file, start, length
        self.checksum, self.owner = checksum, owner

    def read(self, first: int, count: int, kind: str) -> Any:
        """So many values from a place on, of a dtype."""
        if self.checksum is not None:
            self._hold(self.file.checksum(self.start, self.length))
        return self.file.array(self.start + first * DTYPES[kind][0], kind, (count,))

    def copy(self, at: int, count: int) -> Iterator[Buffer]:
        """So many bytes from a place on, a piece after the other."""
        whole = (at, count) == (0, self.length)
        if self.checksum is not None and not whole:
            self._hold(self.file.checksum(self.start, self.length))
        found = 0
        for piece in self.file.pieces(self.start + at, count):
            if self.checksum is not None:
                found = zlib.crc32(piece, found)
            yield piece
        if self.checksum is not None:
            self._hold(found)

    def _hold(self, found: int) -> None:
        if found != self.checksum:
            raise self.file.damaged(
                f"the values of tensor {self.owner()} aren't those that its checksum was made of"
            )
        self.checksum = None


def _content(file: Mapped, archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        with archive.open(name) as one:
            found = one.read(_MOST + 1)
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, RuntimeError, zlib.error):
        raise file.damaged("the archive is damaged") from None
    if len(found) > _MOST:
        raise WeightsError(
            "{}: {} in the archive is too large for a pickle of names", file.path, name
        )
    return found


def _place(file: Mapped, info: zipfile.ZipInfo) -> tuple[int, int]:
    """The first byte of an entry's content, and how many there are."""
    head = file.bytes(info.header_offset, 30)
    start = info.header_offset + 30
    if len(head) == 30:
        start += int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    return start, info.file_size


def read_legacy(file: Mapped) -> tuple[Any, tuple[str, ...]]:
    """The same of a file from before PyTorch 1.6.

    Raises:
        WeightsError: it is damaged, or no file of torch.save.
    """
    starts: dict[str, int] = {}
    asked: dict[str, int] = {}
    counts: dict[str, set[int]] = {}

    def storage(pid: Any) -> Storage:
        key, dtype, numel = pickled.asked(pid)
        asked[key] = max(asked.get(key, 0), numel * DTYPES[dtype][0])
        counts.setdefault(key, set()).add(numel)

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
                "{} is a pickle, but none of torch.save: write it with "
                "torch.save(model.state_dict(), ...)",
                name,
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
        if at + 8 + length > file.size:
            raise file.damaged(f"it ends within storage {key}")
        if key in counts and count not in counts[key]:
            raise file.damaged(f"storage {key} has {count:,} values, which no tensor says of it")
        at += 8 + length
    if missing := next((key for key in asked if key not in starts), None):
        raise file.damaged(f"it has no values for storage {missing}")
    return found, foreign
