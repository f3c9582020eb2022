"""Everything at once: records and evidence as ND-JSON, line by line from the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from datasette_msmap.api.table import Given
from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Answer, Ask
from msmap import model

NDJSON = "application/x-ndjson; charset=utf-8"
# Rows read at a time: what takes a few milliseconds, in which nobody else is served.
_RECORDS, _OUTCOMES = 8, 50
_FIELDS = tuple(model.Evidence.__dataclass_fields__)
_FINDING = asdict(model.Finding(""))


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
    # A document is stored as the JSON of its record.
    sql = "SELECT torch, document FROM record WHERE torch > ? ORDER BY torch LIMIT ?"
    last = ""
    while rows := ask.served.rows(sql, last, _RECORDS):
        yield _encoded(encoding.stored(document) for _, document in rows)
        last = rows[-1][0]


def _outcomes(ask: Ask) -> Iterator[bytes]:
    sql = (
        f"SELECT e.id, c.owner, c.slug, e.mindspore, {', '.join(f'e.{f}' for f in _FIELDS)}"
        ' FROM evidence e JOIN "check" c ON c.id = e."check"'
        " WHERE e.id > ? ORDER BY e.id LIMIT ?"
    )
    last = 0
    while rows := ask.served.rows(sql, last, _OUTCOMES):
        yield _encoded(encoding.text(_outcome(row)) for row in rows)
        last = rows[-1][0]


def _encoded(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _outcome(row: tuple[Any, ...]) -> dict[str, Any]:
    """An ``answers.Outcome`` as plain data; by way of the object it would take thrice as long."""
    _, owner, check, mindspore, *values = row
    data = dict(zip(_FIELDS, values, strict=True))
    data["unexplained"] = json.loads(data["unexplained"])
    findings = json.loads(data["variants"])
    data["variants"] = {name: {**_FINDING, **found} for name, found in findings.items()}
    return {"owner": owner, "check": check, "mindspore": mindspore, "evidence": data}
