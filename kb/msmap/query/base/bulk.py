"""Everything at once, read in pieces: stored records, and what came out of every check."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from msmap import model
from msmap.query.base.asked import Asked
from msmap.query.base.rows import Row

_FIELDS = tuple(model.Evidence.__dataclass_fields__)
_FINDING = asdict(model.Finding(""))


def document(kb: Asked, torch: str) -> str | None:
    """The record of a canonical name as the JSON that is stored, as of the newest release."""
    return kb.rows.record(torch)


def documents(kb: Asked, size: int) -> Iterator[list[str]]:
    """All records by name, as the JSON that is stored, ``size`` at a time."""
    sql = "SELECT torch FROM record WHERE torch > ? ORDER BY torch LIMIT ?"
    last = ""
    while names := kb.rows(sql, (last, size)):
        found = (kb.rows.record(name) for (name,) in names)
        yield [text for text in found if text is not None]
        last = names[-1][0]


def outcomes(kb: Asked, size: int) -> Iterator[list[dict[str, Any]]]:
    """What came out of every check in every environment, by ``size`` runs, which releases share.

    Each is an ``answers.Outcome`` as plain data; by way of the object it would take thrice as long.
    """
    sql = (
        f"SELECT c.owner, c.slug, e.mindspore, {', '.join(f'e.{f}' for f in _FIELDS)}"
        ' FROM evidence e JOIN "check" c ON c.id = e."check"'
        " WHERE e.id > ? AND e.id <= ? ORDER BY e.id, e.environment"
    )
    last = 0
    while True:
        # Numbers have gaps.
        few = "SELECT max(id) FROM (SELECT id FROM run WHERE id > ? ORDER BY id LIMIT ?)"
        ((next_,),) = kb.rows(few, (last, size))
        if next_ is None:
            return
        yield [_outcome(row) for row in kb.rows(sql, (last, next_))]
        last = next_


def _outcome(row: Row) -> dict[str, Any]:
    owner, check, mindspore, *values = row
    data = dict(zip(_FIELDS, values, strict=True))
    data["unexplained"] = json.loads(data["unexplained"])
    findings = json.loads(data["variants"])
    data["variants"] = {name: {**_FINDING, **found} for name, found in findings.items()}
    return {"owner": owner, "check": check, "mindspore": mindspore, "evidence": data}
