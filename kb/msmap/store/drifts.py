"""The rows of what happens to records and guides between each two releases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import permutations
from typing import TypeAlias, TypeVar

from msmap import model
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.evidence.names import parse
from msmap.query.base import record_drift
from msmap.query.base.record_drift import RecordDrift
from msmap.query.drift.drift import between_releases
from msmap.store import documents, rows
from msmap.store.rows import Rows

T = TypeVar("T")
Checks: TypeAlias = tuple[model.Check, ...]
# The environments with evidence of each release, by its id and without its name.
Ran: TypeAlias = Mapping[int, Collection[str]]


def ran(environments: Rows) -> Ran:
    """The environments of each release, from their rows."""
    found: dict[int, set[str]] = defaultdict(set)
    for row in environments["environment"]:
        found[row["release"]].add(parse(row["name"]).elsewhere)
    return found


def of_record(found: Content, name: str, where: Ran) -> Rows:
    """What happens to a record and to the names that share its answer."""

    def compared(
        one: model.Record, other: model.Record, ran_in: Sequence[str]
    ) -> RecordDrift | None:
        return record_drift.record(one, other, ran_in)

    happened = _between(found, name, lambda base: base.records[name], compared, where)
    told = {name: _document(happened)}
    for other in found.base.records[name].covers:
        shared = {pair: record_drift.shared(drift, other) for pair, drift in happened.items()}
        told[other] = _document(shared)
    return _rows(told)


def of_guide(found: Content, name: str, where: Ran) -> Rows:
    """What happens to the checks of a guide."""
    owner = model.guide_owner(name)

    def compared(one: Checks, other: Checks, ran_in: Sequence[str]) -> RecordDrift | None:
        return record_drift.guide(owner, one, other, ran_in)

    held = _between(found, name, lambda base: base.guides[name].checks, compared, where)
    return _rows({owner: _document(held)})


def _between(
    found: Content,
    name: str,
    held: Callable[[Base], T],
    compared: Callable[[T, T, Sequence[str]], RecordDrift | None],
    where: Ran,
) -> dict[str, RecordDrift | None]:
    """What happens between each two releases, as ``between_releases`` calls them.

    What a release has just as the next newer one has is compared once.
    """
    bases = rows.numbered(found)
    like: dict[int, int] = {}
    for release in sorted(bases, reverse=True):
        same = release + 1 in bases and name in bases[release].alike
        like[release] = like[release + 1] if same else release
    kept = {release: held(bases[release]) for release in {*like.values()}}
    made: dict[tuple[int, int, tuple[str, ...]], RecordDrift | None] = {}
    told = {}
    for first, last in permutations(sorted(bases), 2):
        if like[first] != like[last]:
            common = tuple(sorted({*where.get(first, ())} & {*where.get(last, ())}))
            key = like[first], like[last], common
            if key not in made:
                made[key] = compared(kept[like[first]], kept[like[last]], common)
            told[between_releases(first, last)] = made[key]
    return told


def _document(happened: Mapping[str, RecordDrift | None]) -> str:
    """A line for each thing that happens: the pairs of releases, and all of it as JSON."""
    pairs: dict[str, list[str]] = {}
    for pair, drift in happened.items():
        if drift is not None:
            pairs.setdefault(documents.encoded(drift), []).append(pair)
    return "\n".join(f"{' '.join(told)}\t{text}" for text, told in pairs.items())


def _rows(told: Mapping[str, str]) -> Rows:
    """The rows of what happens to some owners, if anything does."""
    happened = [(owner, document) for owner, document in told.items() if document]
    return {
        "drift": [
            {"id": number, "owner": owner, "document": documents.deflating("record")(document)}
            for number, (owner, document) in enumerate(happened, 1)
        ]
    }
