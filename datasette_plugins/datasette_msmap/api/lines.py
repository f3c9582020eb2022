"""Everything at once: records and evidence as ND-JSON, line by line from the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from datasette_msmap.api.table import Given
from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Answer, Ask
from msmap.query import bulk

NDJSON = "application/x-ndjson; charset=utf-8"
# Rows read at a time: what takes a few milliseconds, in which nobody else is served.
_RECORDS, _OUTCOMES = 8, 50


def records(ask: Ask, given: Given) -> Answer:
    """Every record, a line each, by name."""
    return _answer(ask, "record-line", _records)


def evidence(ask: Ask, given: Given) -> Answer:
    """What came out of every check in every environment, a line each."""
    return _answer(ask, "evidence-line", _outcomes)


def _answer(ask: Ask, schema: str, lines: Any) -> Answer:
    return Answer(
        b"",
        NDJSON,
        shared=True,
        headers=encoding.described(ask, schema),
        chunks=lambda: lines(ask),
    )


def _records(ask: Ask) -> Iterator[bytes]:
    for documents in bulk.documents(ask.kb, _RECORDS):
        yield _encoded(encoding.stored(document) for document in documents)


def _outcomes(ask: Ask) -> Iterator[bytes]:
    for outcomes in bulk.outcomes(ask.kb, _OUTCOMES):
        yield _encoded(encoding.text(outcome) for outcome in outcomes)


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
