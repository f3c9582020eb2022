"""The whole database as a download, or a part of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace

from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Answer, Ask

_PIECE = 256 * 1024
_TYPE = "application/vnd.sqlite3"


def database(ask: Ask) -> Answer:
    """The file that is served; a ``Range`` header asks for a part."""
    path = ask.served.path
    size = os.path.getsize(path)
    headers = {
        "accept-ranges": "bytes",
        "content-disposition": 'attachment; filename="msmap.db"',
    }
    wanted = ask.headers.get("range")
    if ask.headers.get("if-range", ask.tag) != ask.tag:
        # The rest of another database would not fit.
        wanted = None
    part = _part(wanted, size)
    if part is None:
        part, status = range(size), 200
    elif not part:
        refused = encoding.refusal(ask, 416, f"the database has {size} bytes")
        return replace(refused, headers={**refused.headers, "content-range": f"bytes */{size}"})
    else:
        status = 206
        headers["content-range"] = f"bytes {part.start}-{part.stop - 1}/{size}"
    headers["content-length"] = str(len(part))
    return Answer(
        b"", _TYPE, status, shared=True, headers=headers, chunks=lambda: _pieces(path, part)
    )


def _part(wanted: str | None, size: int) -> range | None:
    """The bytes that a Range header asks for; empty if there are none, None if it asks for all.

    Several ranges are answered with all, as is one that can't be read.
    """
    found = re.fullmatch(r"bytes=([0-9]{0,15})-([0-9]{0,15})", wanted or "")
    if found is None or found.group() == "bytes=-":
        return None
    first, last = found.groups()
    if not first:
        return range(max(0, size - int(last)), size)
    stop = min(size, int(last) + 1) if last else size
    return range(int(first), stop)


def _pieces(path: str, part: range) -> Iterator[bytes]:
    with open(path, "rb") as file:
        file.seek(part.start)
        left = len(part)
        while left and (piece := file.read(min(left, _PIECE))):
            left -= len(piece)
            yield piece
