"""The rows of each record and guide by themselves, and what is kept of them from build to build."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from msmap import cache, model
from msmap.assemble.content import Content
from msmap.evidence.names import parse
from msmap.store import rows, shapes
from msmap.store.shapes import Lines, Shape

# What is told of MindSpore names, as ``Base.sources`` gives it.
Sources: TypeAlias = dict[str, tuple[int, model.Summary]]


# Frozen, it would take longer to be unpickled.
@dataclass(slots=True)
class Part:
    """What a record or guide has in the database, beside the rows that are kept there.

    Args:
        place: its place among all of them, from 0, which its numbers follow from.
        counts: how many rows it has, by table; of drifts, how many it may have.
        checks: how many checks the newest release has.
        used: the environments that something came out in, as ``rows.of_environments`` takes them.
        names: the canonical MindSpore names that it tells something of.
        covers: the PyTorch names that share its answer.
        sources: what it tells of each; pickled where it is kept, because nearly nobody asks.
    """

    place: int
    counts: dict[str, int]
    checks: int
    used: tuple[tuple[int, str], ...]
    names: tuple[str, ...] = ()
    sources: bytes | Sources = b""
    covers: tuple[str, ...] = ()

    def told_otherwise(self, other: Part) -> set[str]:
        """The MindSpore names that two tell something else of."""
        if self.sources == other.sources:
            return set()
        mine, theirs = self.tells(), other.tells()
        return {n for n in (*mine, *theirs) if mine.get(n) != theirs.get(n)}

    def tells(self) -> Sources:
        """What it tells of MindSpore names, as ``Base.sources`` gives it."""
        if not isinstance(self.sources, bytes):
            return self.sources
        return dict(pickle.loads(self.sources)) if self.sources else {}

    def pack(self) -> None:
        """Make it ready to be kept."""
        if not isinstance(self.sources, bytes):
            self.sources = cache.dumps(self.sources)


def of_record(
    made: Mapping[str, Shape], found: Content, name: str, place: int
) -> tuple[Part, Lines]:
    """What is kept of a record, and its rows, numbered from 1."""
    part, lines = _part(made, rows.of_record(found, name), place)
    part.counts["drift"] = part.counts["record"]
    record = found.base.records[name]
    told = found.base.sources(record)
    part.names, part.sources, part.covers = tuple(told), told, record.covers
    return part, lines


def of_guide(
    made: Mapping[str, Shape], found: Content, name: str, place: int
) -> tuple[Part, Lines]:
    """What is kept of a guide, and its rows, numbered from 1."""
    part, lines = _part(made, rows.of_guide(found, name), place)
    part.counts["drift"] = 1
    return part, lines


def _part(made: Mapping[str, Shape], told: rows.Rows, place: int) -> tuple[Part, Lines]:
    used = tuple((row["release"], row["name"]) for row in told.pop("environment", ()))
    checks = sum(row["current"] for row in told["check"])
    lines = {table: rows for table, rows in shapes.lines(made, told).items() if rows}
    counts = {table: len(rows) for table, rows in lines.items()}
    return Part(place, counts, checks, used), lines


def last_page(parts: Collection[object], strides: Mapping[str, int]) -> int:
    """The number of the last page that an owner may have."""
    return len(parts) * strides.get("page", 1)


def of_reverses(
    made: Mapping[str, Shape], found: Content, parts: Collection[Part], names: Collection[str],
    last: int,
) -> tuple[list[int], Lines]:  # fmt: skip
    """The pages of MindSpore names, and the numbers that these pages have or would have.

    Args:
        made: the tables.
        found: what the names are.
        parts: all records and guides.
        names: those of the pages.
        last: the number of the last page that an owner may have, which theirs come after.
    """
    told: dict[str, list[tuple[int, model.Summary]]] = {}
    wanted = set(names)
    for part in parts:
        if not wanted.isdisjoint(part.names):
            for name, source in part.tells().items():
                told.setdefault(name, []).append(source)
    known = sorted(found.base.mindspore.apis)
    numbers = {name: number for number, name in enumerate(known, last) if name in wanted}
    lines: Lines = {}
    for name in (name for name in numbers if name in told):
        page = shapes.lines(made, rows.of_reverse(name, found.base.reverse(name, told[name])))
        shapes.add(lines, shapes.moved(made, page, {"page": numbers[name]}))
    return [number + 1 for number in numbers.values()], lines


def numbered(
    made: Mapping[str, Shape], part: Part, lines: Lines, strides: Mapping[str, int],
    environments: rows.Rows,
) -> Lines:  # fmt: skip
    """The rows of an owner as the database has them: its own numbers, and those of families."""
    found = shapes.moved(made, lines, {table: part.place * s for table, s in strides.items()})
    if "run" in found:
        families = {parse(e["name"]).elsewhere: e["family"] for e in environments["environment"]}
        place = made["run"].columns.index("family")
        found["run"] = [(*r[:place], families[r[place]], *r[place + 1 :]) for r in found["run"]]
    return found
