"""Bodies compressed, and whether a client takes them so."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO

# What is shorter fits into a packet as it is.
_LEAST = 600
_LEVEL = 5
_TYPES = ("text/", "application/json", "application/schema+json", "application/xml",
          "application/x-ndjson", "application/atom+xml", "application/ld+json", "image/svg+xml",
          "application/vnd.sqlite3")  # fmt: skip


def worth(content_type: str, size: int) -> bool:
    """Whether a body of a type and a number of bytes is sent compressed to who takes it so."""
    return size >= _LEAST and content_type.startswith(_TYPES)


def pressed(body: bytes, level: int = _LEVEL) -> bytes:
    """A body compressed; the same bytes for the same body."""
    return gzip.compress(body, level, mtime=0)


def whole(body: bytes) -> bytes:
    """A body as it was before."""
    return gzip.decompress(body)


@lru_cache(maxsize=256)
def taken(accept: str) -> bool:
    """Whether a client that sends this as ``Accept-Encoding`` takes gzip."""
    found = {"gzip": 0.0, "*": -1.0}
    for part in accept.lower().split(","):
        name, _, rest = part.partition(";")
        quality = rest.strip().removeprefix("q=")
        try:
            found[name.strip()] = float(quality) if quality else 1.0
        except ValueError:
            continue
    return found["gzip"] > 0 or ("gzip" not in accept.lower() and found["*"] > 0)


def unpacked(file: BinaryIO, piece: int) -> Iterator[bytes]:
    """The content of a compressed file, piece by piece."""
    reading = zlib.decompressobj(zlib.MAX_WBITS | 16)
    while packed := file.read(piece):
        left = packed
        while left and not reading.eof:
            if made := reading.decompress(left, 4 * piece):
                yield made
            left = reading.unconsumed_tail
    if rest := reading.flush():
        yield rest
