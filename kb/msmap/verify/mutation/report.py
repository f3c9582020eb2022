"""What became of mutants, counted: as data and as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from msmap.model import Record
from msmap.verify.mutation.mutants import KINDS
from msmap.verify.mutation.verdicts import STATUSES, Verdict


def share(verdicts: Sequence[Verdict]) -> float:
    """Percent caught of those that could be."""
    count = Counter(v.status for v in verdicts)
    possible = count["caught"] + count["survived"]
    return 100 * count["caught"] / possible if possible else 100.0


def _counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    count = Counter(v.status for v in verdicts)
    return {status: count[status] for status in STATUSES}


def data(environment: str, records: list[Record], verdicts: list[Verdict]) -> dict[str, Any]:
    """What became of the mutants of some records: counts, then each."""
    return {
        "environment": environment,
        "percent": round(share(verdicts), 1),
        **_counts(verdicts),
        "kinds": {k: _counts([v for v in verdicts if v.kind == k]) for k in KINDS},
        "records": {
            r.torch: _counts([v for v in verdicts if v.record == r.torch]) for r in records
        },
        "mutants": [asdict(v) for v in verdicts],
    }


def lines(environment: str, records: list[Record], verdicts: list[Verdict]) -> Iterator[str]:
    """The same as lines of text: what survived by record, then counts by kind of mistake."""
    for record in records:
        mine = [v for v in verdicts if v.record == record.torch]
        yield f"{record.torch}: {_said(mine)}"
        for v in mine:
            if v.status in ("survived", "equivalent"):
                yield f"  {v.status}: {v.target}: {v.change}: {v.why}"
    yield ""
    for kind, words in KINDS.items():
        mine = [v for v in verdicts if v.kind == kind]
        if mine:
            yield f"{words}: {_said(mine)}"
    yield f"{environment}: {_said(verdicts)}, {share(verdicts):.1f} %"


def _said(verdicts: Sequence[Verdict]) -> str:
    """Such as ``9/10 caught, 2 equivalent``."""
    count = _counts(verdicts)
    rest = [f"{count[s]} {s}" for s in ("untestable", "equivalent") if count[s]]
    return ", ".join([f"{count['caught']}/{count['caught'] + count['survived']} caught", *rest])
