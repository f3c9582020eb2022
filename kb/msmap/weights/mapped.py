"""A file of weights as memory that is read where it is used, and never as a whole."""

from __future__ import annotations

import math
import mmap
import os
import stat
import weakref
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msmap.errors import WeightsError
from msmap.weights.tensors import DTYPES, Buffer, Held

_PIECE = 1 << 20


class Mapped:
    """The bytes of a file.

    Raises:
        OSError: it can't be opened.
        WeightsError: it is no file, or empty.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not stat.S_ISREG(path.stat().st_mode):
            raise WeightsError("{} is no file", path)
        with path.open("rb") as file:
            self.size = os.fstat(file.fileno()).st_size
            if not self.size:
                raise WeightsError("{} is empty: write or download it again", path)
            self.memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._handle = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._handle)

    def bytes(self, start: int, length: int) -> bytes:
        """So many bytes from a place on, fewer at the end."""
        return self.memory[start : start + length]

    def tensor(self, start: int, dtype: str, shape: Sequence[int]) -> Held:
        """A tensor whose values stand in rows from a place on."""
        made = tuple(shape)
        length = math.prod(made) * DTYPES[dtype][0]
        return Held(
            dtype, made, lambda: self.array(start, dtype, made), (start, made),
            lambda: self.pieces(start, length),
        )  # fmt: skip

    def pieces(self, start: int, length: int) -> Iterator[Buffer]:
        """So many bytes from a place on, a piece after the other in the same memory.

        Raises:
            WeightsError: the file has become shorter.
        """
        # Reading pages of the memory one by one costs more than a copy of them.
        piece = memoryview(bytearray(min(length, _PIECE)))
        while length:
            count = os.preadv(self._handle, [piece[: min(length, _PIECE)]], start)
            if not count:
                raise self.damaged("it became shorter while it was read")
            yield piece[:count]
            start, length = start + count, length - count

    def checksum(self, start: int, length: int, before: int = 0) -> int:
        """The CRC-32 of so many bytes from a place on, after others of which it was ``before``."""
        for piece in self.pieces(start, length):
            before = zlib.crc32(piece, before)
        return before

    def array(self, start: int, dtype: str, shape: Sequence[int]) -> Any:
        """The values that stand in rows from a place on."""
        import numpy as np

        count = math.prod(shape)
        if not count:
            return np.zeros(shape, DTYPES[dtype][1])
        return np.frombuffer(self.memory, DTYPES[dtype][1], count, start).reshape(shape)

    def damaged(self, why: str) -> WeightsError:
        """What to say of a file that isn't whole."""
        return WeightsError("{}: {}; write or download it again", self.path, why)
