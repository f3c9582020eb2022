"""Answers sent: compressed to who takes them so, large ones from files, none to who has left."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from datasette_msmap.web import compression
from datasette_msmap.web.kept import Entry, Headers
from datasette_msmap.web.responses import Answer, headers
from datasette_msmap.web.routing import Request

_PIECE = 128 * 1024
_VARY = (b"vary", b"accept-encoding")


def entry(answer: Answer, tag: str) -> Entry:
    """An answer as it is kept."""
    body = answer.body.encode() if isinstance(answer.body, str) else answer.body
    told = headers(answer)
    worth = compression.worth(answer.content_type, len(body))
    if worth:
        told.append(_VARY)
    tagged = tag if answer.status == 200 and answer.max_age else ""
    return Entry(answer.status, told, body, worth, False, tagged)


def fitting(request: Request, found: Entry) -> Entry:
    """The same answer, compressed if that is worth it and the client takes it so."""
    if found.worth and not found.pressed and takes(request):
        return replace(found, body=compression.pressed(found.body), pressed=True)
    return found


async def send_entry(found: Entry, send: Any, method: str, takes: bool = True) -> None:
    """Send an answer that is kept, compressed if it is so and the client takes it so."""
    told = list(found.headers)
    body, form = found.body, ""
    if found.pressed:
        if takes:
            told.append((b"content-encoding", b"gzip"))
            form = "-gzip"
        else:
            body = compression.whole(body)
    if found.tag:
        told.append((b"etag", f'"{found.tag}{form}"'.encode()))
    if found.status != 204:
        told.append((b"content-length", str(len(body)).encode()))
    await _whole(send, found.status, told, b"" if method == "HEAD" else body)


async def send_unchanged(request: Request, told: Headers, send: Any) -> None:
    """Say that the client has the answer already."""
    found = re.search(r'"[0-9a-f]+(?:-gzip)?"', request.headers["if-none-match"])
    tag = [(b"etag", found[0].encode())] if found else []
    await _whole(send, 304, [*told, *tag], b"")


async def send_large(
    request: Request, answer: Answer, tag: str, left: asyncio.Future[Any], send: Any
) -> None:
    """Send what stands in a file, or the part that is asked for, while the client is there.

    A part that there isn't is not sent: ``span`` says so before.
    """
    told = [*headers(answer), _VARY]
    status, form, length = answer.status, "", None
    if answer.file is not None:
        told.append((b"accept-ranges", b"bytes"))
    if answer.packed is not None and takes(request) and "range" not in request.headers:
        told.append((b"content-encoding", b"gzip"))
        form, (length, pieces) = "-gzip", _of_file(answer.packed)
    elif answer.file is not None:
        size = answer.file.stat().st_size
        part = span(request, tag, size)
        if part is not None:
            status = 206
            said = f"bytes {part.start}-{part.stop - 1}/{size}"
            told.append((b"content-range", said.encode()))
        length, pieces = _of_file(answer.file, part)
    else:
        assert answer.packed is not None
        pieces = _unpacked(answer.packed)
    told.append((b"etag", f'"{tag}{form}"'.encode()))
    if length is not None:
        told.append((b"content-length", str(length).encode()))
    await send({"type": "http.response.start", "status": status, "headers": told})
    if request.method != "HEAD":
        for piece in pieces:
            if left.done():
                return
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            # Others come in between, even where the client takes all at once.
            await asyncio.sleep(0)
    await send({"type": "http.response.body", "body": b""})


async def _whole(send: Any, status: int, told: Headers, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})


def takes(request: Request) -> bool:
    """Whether a client takes answers compressed."""
    return compression.taken(request.headers.get("accept-encoding", ""))


def _of_file(path: Path, part: range | None = None) -> tuple[int, Iterator[bytes]]:
    part = range(path.stat().st_size) if part is None else part
    return len(part), _pieces(path, part)


def _pieces(path: Path, part: range) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(part.start)
        left = len(part)
        while left and (piece := file.read(min(left, _PIECE))):
            left -= len(piece)
            yield piece


def _unpacked(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from compression.unpacked(file, _PIECE // 4)


def span(request: Request, tag: str, size: int) -> range | None:
    """The bytes that a Range header asks for; empty if there are none, None if it asks for all.

    Several ranges are answered with all, as is one that can't be read. The rest of another
    database would not fit.
    """
    if request.headers.get("if-range", f'"{tag}"') != f'"{tag}"':
        return None
    found = re.fullmatch(r"bytes=([0-9]{0,15})-([0-9]{0,15})", request.headers.get("range", ""))
    if found is None or found.group() == "bytes=-":
        return None
    first, last = found.groups()
    if not first:
        return range(max(0, size - int(last)), size)
    start, stop = int(first), min(size, int(last) + 1) if last else size
    return range(start, max(start, stop))
