"""Everything at once: records and evidence as ND-JSON, in files that are made once."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from datasette_msmap.api.table import Given
from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Answer, Ask
from msmap import atomic
from msmap.query import bulk

NDJSON = "application/x-ndjson; charset=utf-8"
# Rows read at a time.
_RECORDS, _OUTCOMES = 8, 50


def records(ask: Ask, given: Given) -> Answer:
    """Every record, a line each, by name."""
    return _answer(ask, "record-line", "records", _records)


def evidence(ask: Ask, given: Given) -> Answer:
    """What came out of every check in every environment, a line each."""
    return _answer(ask, "evidence-line", "evidence", _outcomes)


def _answer(ask: Ask, schema: str, name: str, lines: Callable[[Ask], Iterable[bytes]]) -> Answer:
    place = packed(ask.served.folder / f"{name}.ndjson.gz", lambda: lines(ask))
    told = encoding.described(ask, schema)
    return Answer(b"", NDJSON, shared=True, headers=told, packed=place)


def packed(place: Path, pieces: Callable[[], Iterable[bytes]]) -> Path:
    """A compressed file of some bytes, made if it isn't there, whole or not at all."""
    if not place.exists():
        with (
            atomic.replacing(place) as temporary,
            temporary.open("wb") as file,
            gzip.GzipFile("", "wb", 6, file, mtime=0) as made,
        ):
            for piece in pieces():
                made.write(piece)
    return place


def _records(ask: Ask) -> Iterator[bytes]:
    for documents in bulk.documents(ask.kb, _RECORDS):
        yield _encoded(encoding.stored(document) for document in documents)


def _outcomes(ask: Ask) -> Iterator[bytes]:
    for outcomes in bulk.outcomes(ask.kb, _OUTCOMES):
        yield _encoded(encoding.text(outcome) for outcome in outcomes)


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
