"""What changes from one MindSpore release to another: names, signatures, records; worst first.

What happens to records is worked out when the database is built (``msmap.store.drifts``), between
each two releases; of names only those are read whose rows tell the two apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from msmap import model
from msmap.database import ANSWERS_VERSION
from msmap.evidence.names import parse
from msmap.query.base import decode
from msmap.query.base import name_drift as namedrift
from msmap.query.base.name_drift import NameDrift, SignatureDrift
from msmap.query.base.record_drift import EFFECTS, RecordDrift
from msmap.query.base.rows import Rows
from msmap.query.knowledge_base import KnowledgeBase

# A name as one release has it and another hasn't.
_OTHERWISE = (
    f"SELECT {decode.API}, '', '' FROM api"
    " WHERE framework = 'mindspore' AND first <= :rank AND first > :other UNION ALL"
    f" SELECT {decode.API}, '', '' FROM past_api WHERE framework = 'mindspore'"
    " AND first <= :rank AND last >= :rank AND NOT (first <= :other AND last >= :other)"
)
# The APIs that records map to in a release.
_CURATED = (
    "SELECT t.api FROM target t WHERE t.api != '' AND t.torch NOT IN"
    " (SELECT torch FROM edition WHERE first <= :rank AND last >= :rank) UNION"
    " SELECT j.value FROM edition e, json_each(e.apis) j WHERE e.first <= :rank AND e.last >= :rank"
)


@dataclass(frozen=True, slots=True)
class Drift:
    """Everything that changes; curated names come first.

    ``environments`` are those that both releases have evidence of, without MindSpore's release:
    outcomes are compared there alone. ``unproved`` are the releases that have none at all.
    """

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    before: str
    after: str
    environments: tuple[str, ...]
    unproved: tuple[str, ...]
    total: int
    records: tuple[RecordDrift, ...]
    appeared: tuple[NameDrift, ...]
    vanished: tuple[NameDrift, ...]
    deprecated: tuple[NameDrift, ...]
    signatures: tuple[SignatureDrift, ...]


def between(one: KnowledgeBase, other: KnowledgeBase) -> Drift:
    """What changes from the release of one knowledge base to that of another of one database."""
    rows, ranks = one.rows, one.known_releases()
    releases = one.releases()["mindspore"], other.releases()["mindspore"]
    first, last = (ranks[release] for release in releases)
    ran = [(release, _environments(rows, ranks[release])) for release in releases]
    common = sorted(ran[0][1] & ran[1][1])
    before, after = _otherwise(rows, first, last), _otherwise(rows, last, first)
    curated = {api for rank in (first, last) for (api,) in rows(_CURATED, {"rank": rank})}
    order = list(EFFECTS)
    return Drift(
        before=releases[0],
        after=releases[1],
        environments=tuple(common),
        unproved=tuple(release for release, environments in ran if not environments),
        total=sum(rows(f"SELECT count(*) FROM {table}")[0][0] for table in ("record", "guide")),
        records=tuple(
            sorted(_records(rows, first, last), key=lambda r: (order.index(r.effect), r.name))
        ),
        appeared=namedrift.names(after, after.keys() - before.keys(), curated),
        vanished=namedrift.names(before, before.keys() - after.keys(), curated),
        deprecated=namedrift.names(
            after,
            {n for n in after.keys() & before.keys() if _newly(before[n], after[n])},
            curated,
        ),
        signatures=namedrift.signatures(before, after, curated),
    )


def _newly(before: model.Api, after: model.Api) -> bool:
    """Whether a name is deprecated that was not."""
    return bool(after.deprecated) and not before.deprecated


def _environments(rows: Rows, rank: int) -> set[str]:
    """The environments with evidence of a release, by their names without it."""
    found = rows("SELECT name FROM environment WHERE release = ?", (rank,))
    return {parse(name).elsewhere for (name,) in found}


def _otherwise(rows: Rows, rank: int, other: int) -> dict[str, model.Api]:
    """The names that are otherwise in a release than in another one, as the first has them."""
    found = rows(_OTHERWISE, {"rank": rank, "other": other})
    return {row[0]: decode.api(row) for row in found}


def _records(rows: Rows, first: int, last: int) -> list[RecordDrift]:
    """What happens to records and guides from one release to another."""
    wanted = between_releases(first, last)
    found = []
    for (document,) in rows("SELECT document FROM drift"):
        for spans, told in _lines(rows, document):
            if wanted in spans:
                found.append(decode.record_drift(json.loads(told)))
    return found


@dataclass(frozen=True, slots=True)
class Happened:
    """What happens to a record, or to a guide, from one release to the next."""

    before: str
    after: str
    record: RecordDrift


def history(kb: KnowledgeBase, owner: str) -> list[Happened]:
    """What happens to a record, or to ``guide:ID``, with each release; the newest first."""
    texts: dict[str, str] = {}
    for (document,) in kb.rows("SELECT document FROM drift WHERE owner = ?", (owner,)):
        for spans, told in _lines(kb.rows, document):
            texts |= dict.fromkeys(spans, told)
    steps = pairwise(kb.known_releases().items())
    happened = [
        Happened(before, after, decode.record_drift(json.loads(texts[span])))
        for (before, first), (after, last) in steps
        if (span := between_releases(first, last)) in texts
    ]
    return happened[::-1]


def _lines(rows: Rows, document: bytes) -> Iterator[tuple[list[str], str]]:
    """The lines of a stored drift: pairs of releases, and what happens between them as JSON."""
    for line in rows.inflated("record", document).split("\n"):
        spans, _, told = line.partition("\t")
        yield spans.split(), told


def between_releases(first: int, last: int) -> str:
    """How a drift is named by the ids of its releases."""
    return f"{first}>{last}"
