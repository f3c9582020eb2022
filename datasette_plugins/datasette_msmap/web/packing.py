"""Everything at once, in compressed files that are made once: records, evidence, the database."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Ask
from msmap import atomic
from msmap.query.base import bulk

# Rows read at a time.
_RECORDS, _OUTCOMES = 8, 50
_PIECE = 1 << 20


def packed(ask: Ask, name: str) -> Path:
    """One of the files, compressed; made if it isn't there, whole or not at all."""
    place = ask.served.folder / f"{name}.gz"
    if not place.exists():
        with (
            atomic.replacing(place) as temporary,
            temporary.open("wb") as file,
            gzip.GzipFile("", "wb", 6, file, mtime=0) as made,
        ):
            for piece in FILES[name](ask):
                made.write(piece)
    return place


def _records(ask: Ask) -> Iterator[bytes]:
    for documents in bulk.documents(ask.kb, _RECORDS):
        yield _encoded(encoding.stored(document) for document in documents)


def _outcomes(ask: Ask) -> Iterator[bytes]:
    for outcomes in bulk.outcomes(ask.kb, _OUTCOMES):
        yield _encoded(encoding.text(outcome).encode() for outcome in outcomes)


def _encoded(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _database(ask: Ask) -> Iterator[bytes]:
    with Path(ask.served.path).open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece


FILES: dict[str, Callable[[Ask], Iterator[bytes]]] = {
    "msmap.db": _database,
    "records.ndjson": _records,
    "evidence.ndjson": _outcomes,
}
