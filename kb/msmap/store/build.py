"""The database, built whole from data/ into a temporary file and moved into place."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

from msmap import atomic
from msmap.assemble import content, kept
from msmap.assemble.content import Content
from msmap.assemble.kept import Reading
from msmap.curated.load import Loaded
from msmap.errors import DatabaseError
from msmap.lint import run as lint
from msmap.problems import DataError, Problem
from msmap.store import drifts, file, parts, published, rows, shapes, tried
from msmap.store.parts import Part
from msmap.store.shapes import Lines, Shape
from msmap.store.tried import Tried
from msmap.verify.plan.variants import GENERATION

# What a record must not be said to do if the rewriter can't do it.
_BLOCKING = ("check-can-be-ported", "guide-check-can-be-ported", "placeholders-known")


@dataclass(frozen=True, slots=True)
class Built:
    """What went into a database; ``problems`` is the evidence that can't be read, left out."""

    path: Path
    records: int
    guides: int
    claims: int
    checks: int
    apis: int
    problems: tuple[Problem, ...] = ()
    probes: int = 0


@content.uncollected()
def build(directory: Path, path: Path, cache: Path | None = None) -> Built:
    """Build the database from a data directory; ``path`` is replaced whole or not at all.

    Args:
        directory: the data directory.
        path: where to.
        cache: the folder in which earlier builds have left what they made; None to do without.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
        DatabaseError: the disk is full, or ``path`` is a directory or a device.
    """
    reading = kept.read(directory, cache, generation=GENERATION, every=True)
    if problems := lint.problems(reading.found, only=_BLOCKING):
        raise DataError(problems)
    if path.exists() and not path.is_file():
        raise DatabaseError("{} is not a file that a database could replace", path)
    with atomic.replacing(path) as temporary:
        try:
            made = _change(reading, temporary, cache)
            if made is None:
                if reading.redone is not None:
                    reading = kept.read(
                        directory, cache, generation=GENERATION, every=True, anew=True
                    )
                made = _fill(reading.found, temporary, cache)
        except OperationalError as error:
            raise DatabaseError(
                "{} could not be written ({}); free some space there, or name another place with "
                "--output; what was there is as it was",
                path,
                error,
            ) from error
        if cache is not None:
            for part in made.parts.values():
                part.pack()
        reading.keep(made.parts, replace(made, parts={}), temporary)
    base = reading.found.base
    checks = sum(part.checks for part in made.parts.values())
    apis = len(base.torch.apis) + len(base.mindspore.apis)
    counts = (len(base.records), len(base.guides), made.claims)
    unread = (*reading.found.problems, *made.tried.problems)
    return Built(path, *counts, checks, apis, unread, made.tried.count)


@dataclass(frozen=True, slots=True)
class _Made:
    """What a build has made beside the file; ``parts`` are those of all records and guides."""

    shapes: dict[str, Shape]
    strides: dict[str, int]
    environments: rows.Rows
    claims: int
    tried: Tried
    parts: dict[str, Part]
    published: bytes


def _fill(found: Content, path: Path, cache: Path | None) -> _Made:
    """A database of all that was read."""
    made = shapes.read()
    own = {str(o.path): _own(made, found, o, n) for n, o in enumerate(found.files.owners())}
    told = {path: part for path, (part, _) in own.items()}
    strides, environments = _common(found, told.values())
    lines = shapes.lines(made, rows.of_all(found))
    ran = drifts.ran(environments)
    for owner in found.files.owners():
        part, more = own[str(owner.path)]
        more |= _drifts(made, found, owner, ran)
        shapes.add(lines, parts.numbered(made, part, more, strides, environments))
    names = {name for part in told.values() for name in part.names}
    last = parts.last_page(told, strides)
    shapes.add(lines, parts.of_reverses(made, found, told.values(), names, last)[1])
    documents = shapes.lines(made, rows.of_documents(found, cache))
    for more in (shapes.lines(made, environments), documents):
        shapes.add(lines, more)
    problems: list[Problem] = []
    probes = tried.look(found, problems)
    old, mentioned = tried.ages(found, probes), tried.mentions(found)
    kept, more = tried.made(made, found, probes, mentioned, old, cache, problems)
    shapes.add(lines, tried.placed(made, found, len(told), last, more))
    seen = published.look(found)
    shapes.add(lines, published.made(made, found, seen))
    file.fill(path, made, lines)
    claims = len(documents.get("claim", ()))
    return _Made(
        made, strides, environments, claims, kept, told, published.digest(found, seen)
    )  # fmt: skip


def _change(reading: Reading, path: Path, cache: Path | None) -> _Made | None:
    """The last database with other rows for what has changed; None if all rows are others."""
    before, found, told = reading.whole, reading.found, dict(reading.told)
    if not isinstance(before, _Made):
        return None
    made, stale = before.shapes, {}
    own = {}
    for owner in found.files.owners():
        place = str(owner.path)
        stale[place] = told[place]
        own[place] = _own(made, found, owner, told[place].place)
        told[place] = own[place][0]
    strides, environments = _common(found, told.values())
    covers = any(stale[place].covers != told[place].covers for place in own)
    if covers or (strides, environments) != (before.strides, before.environments):
        return None
    database = reading.file()
    if database is None:
        return None
    gone = [(table, 1, file.LAST) for table in _DOCUMENTS]
    documents = shapes.lines(made, rows.of_documents(found, cache))
    lines: Lines = dict(documents)
    names: set[str] = set()
    ran = drifts.ran(environments)
    for owner in found.files.owners():
        place = str(owner.path)
        old, (part, more) = stale[place], own[place]
        more |= _drifts(made, found, owner, ran)
        gone += [(t, old.place * strides[t] + 1, (old.place + 1) * strides[t]) for t in old.counts]
        shapes.add(lines, parts.numbered(made, part, more, strides, environments))
        names |= old.told_otherwise(part)
    last = parts.last_page(told, strides)
    numbers, pages = parts.of_reverses(made, found, told.values(), names, last)
    gone += [("page", number, number) for number in numbers]
    shapes.add(lines, pages)
    kept, more = _tried(before, reading, cache)
    if kept.made_of != before.tried.made_of:
        gone += tried.gone(found, len(told), last)
        shapes.add(lines, tried.placed(made, found, len(told), last, more))
    seen = published.look(found)
    digest = published.digest(found, seen)
    if digest != before.published:
        gone += [(table, 1, file.LAST) for table in published.TABLES]
        shapes.add(lines, published.made(made, found, seen))
    file.change(path, database, made, gone, lines)
    claims = len(documents.get("claim", ()))
    return _Made(made, strides, environments, claims, kept, told, digest)


def _tried(before: _Made, reading: Reading, cache: Path | None) -> tuple[Tried, Lines]:
    """What is kept of probes, and their rows; where all is as it was, what was kept and none."""
    found = reading.found
    mentioned = before.tried.mentions
    if found.files.guides:
        mentioned = tried.mentions(found)
    problems: list[Problem] = []
    probes = tried.look(found, problems)
    old = tried.ages(found, probes, before.tried.ages, reading.names)
    if tried.digest(probes, mentioned, old) == before.tried.made_of:
        # What a line's age rests on may be another without another age.
        return replace(before.tried, ages=old), {}
    return tried.made(before.shapes, found, probes, mentioned, old, cache, problems)


_DOCUMENTS = (
    "source", "claim", "claim_place", "claim_subject", "synonym", "mistake", "history",
)  # fmt: skip


def _own(
    made: dict[str, Shape], found: Content, owner: Loaded[Any], place: int
) -> tuple[Part, Lines]:
    """What is kept of a record or guide, and its rows."""
    of = parts.of_guide if owner.name in found.base.guides else parts.of_record
    return of(made, found, owner.name, place)


def _drifts(made: dict[str, Shape], found: Content, owner: Loaded[Any], ran: drifts.Ran) -> Lines:
    """The rows of what happens to a record or guide between releases, numbered from 1."""
    of = drifts.of_guide if owner.name in found.base.guides else drifts.of_record
    return shapes.lines(made, of(found, owner.name, ran))


def _common(found: Content, told: Collection[Part]) -> tuple[dict[str, int], rows.Rows]:
    """What rows of all owners depend on: how far apart their numbers are, and the environments."""
    used = {use for part in told for use in part.used}
    return shapes.strides(part.counts for part in told), rows.of_environments(used, found)
