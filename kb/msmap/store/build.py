"""The database, built whole from data/ into a temporary file and moved into place."""

from __future__ import annotations

import marshal
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import OperationalError
from typing import TypeAlias

from msmap import atomic, model, names
from msmap.assemble import content, kept, probes
from msmap.assemble.content import Content
from msmap.assemble.kept import Reading
from msmap.database import SCHEMA_VERSION
from msmap.errors import DatabaseError
from msmap.evidence.names import parse
from msmap.lint import run as lint
from msmap.model import owned
from msmap.problems import DataError, Problem
from msmap.query import about
from msmap.store import rows, shapes
from msmap.store.shapes import Lines, Shape
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
    found = reading.found
    if problems := lint.problems(found, only=_BLOCKING):
        raise DataError(problems)
    if path.exists() and not path.is_file():
        raise DatabaseError(f"{path} is not a file that a database could replace")
    base = found.base
    problems = list(found.problems)
    made, lines = _lines(reading, problems)
    with atomic.replacing(path) as temporary:
        try:
            _fill(temporary, made, lines)
        except OperationalError as error:
            raise DatabaseError(
                f"{path} could not be written ({error}); free some space there, or name another"
                " place with --output; what was there is as it was"
            ) from error
    checks = sum(map(len, owned(base.records.values(), base.guides.values()).values()))
    apis = len(base.torch.apis) + len(base.mindspore.apis)
    counts = (len(base.records), len(base.guides), len(lines["claim"]))
    return Built(path, *counts, checks, apis, tuple(problems), len(lines["probe"]))


# Names beside a probe, as ``KnowledgeBase.siblings`` gives.
_SIBLINGS = 5
# By name and release, what the rows are made of, and the rows.
_Probes: TypeAlias = dict[tuple[str, int], tuple[tuple[bytes, str], bytes]]


@dataclass(frozen=True, slots=True)
class _Whole:
    """What a build leaves beside the rows of every record and guide."""

    shapes: dict[str, Shape]
    view: str
    names: bytes
    reverses: dict[str, tuple[model.Reverse, bytes]]
    probes: _Probes


def _lines(reading: Reading, problems: list[Problem]) -> tuple[_Whole, Lines]:
    """All rows; those of records and guides that are as they were are taken as they were."""
    found, before = reading.found, reading.whole
    whole = before if isinstance(before, _Whole) else None
    if whole is None:
        from msmap.store import tables

        made = shapes.read()
        told_all = marshal.dumps(shapes.lines(made, rows.of_all(found)))
        whole = _Whole(made, tables.EVIDENCE, told_all, {}, {})
    made = whole.shapes
    told = dict(reading.told)
    for record in found.files.records:
        told[record.path] = _packed(made, rows.of_record(found, record.name))
    for guide in found.files.guides:
        told[guide.path] = _packed(made, rows.of_guide(found, guide.name))
    reverses = {}
    for name, reverse in sorted(found.base.reverses().items()):
        was, page = whole.reverses.get(name, (None, b""))
        if was != reverse:
            page = _packed(made, rows.of_reverse(name, reverse))
        reverses[name] = reverse, page
    # Records by name, then guides.
    records = found.base.records
    order = sorted((n not in records, n, p) for p, n in reading.names.items() if p in told)
    parts = [marshal.loads(told[path]) for _, _, path in order]
    place = made["guide"].columns.index("document")
    guides = [(guide[0], guide[place]) for part in parts for guide in part.get("guide", ())]
    tried = _probes(found, whole, guides, problems)
    whole = _Whole(made, whole.view, whole.names, reverses, tried)
    reading.keep(told, whole)
    used = {use for part in parts for use in part.pop("environment")}
    environments = rows.of_environments(used, found)
    numbers = {parse(row["name"]).elsewhere: row["family"] for row in environments["environment"]}
    others = (environments, rows.of_documents(found))
    family = made["run"].columns.index("family")
    lines = shapes.together(
        made,
        (
            marshal.loads(whole.names),
            *parts,
            *(shapes.lines(made, other) for other in others),
            *(marshal.loads(page) for _, page in reverses.values()),
            *(marshal.loads(page) for _, page in tried.values()),
        ),
    )
    lines["run"] = [
        (*run[:family], numbers[run[family]], *run[family + 1 :]) for run in lines["run"]
    ]
    return whole, lines


def _probes(
    found: Content, whole: _Whole, guides: Sequence[tuple[str, str]], problems: list[Problem]
) -> _Probes:
    """The rows of the probes of every release; of those that are as they were, as they were."""
    kept: _Probes = {}
    alike = _alike((*found.base.torch.apis, *found.base.mindspore.apis))
    for release, base in rows.numbered(found).items():
        joining = probes.Joining(base.torch, base.mindspore)
        for name, line in probes.lines(found.directory, base, problems).items():
            beside = None
            if base is found.base:
                near = names.siblings(name, alike.get(names.stem(name), ()), base.records)
                beside = near[:_SIBLINGS], about.telling(name, guides)
            made_of = line.digest, repr(beside)
            before = whole.probes.get((name, release))
            if before is not None and before[0] == made_of:
                kept[name, release] = before
                continue
            try:
                probe = joining.probe(line)
            except DataError as error:
                problems += error.problems
                continue
            made = rows.of_probe(probe, release, beside)
            kept[name, release] = made_of, _packed(whole.shapes, made)
    return kept


def _alike(known: Iterable[str]) -> dict[str, list[str]]:
    """Names by the stem that they share."""
    found: dict[str, list[str]] = {}
    for name in known:
        found.setdefault(names.stem(name), []).append(name)
    return found


def _packed(made: dict[str, Shape], told: rows.Rows) -> bytes:
    used = [(row["release"], row["name"]) for row in told.pop("environment", ())]
    return marshal.dumps({**shapes.lines(made, told), "environment": used})


# The file is a temporary one: what moves it into place writes it through to the disk, and nobody
# wants back what was in it. Documents of 2 kB would leave half of a usual page empty.
_PRAGMAS = ("page_size = 8192", "synchronous = OFF", "journal_mode = OFF", "cache_size = -65536")

_SPELLINGS = """
CREATE VIRTUAL TABLE "spelling_fts" USING FTS5 (
    "name",
    tokenize='trigram',
    content="spelling"
)
"""


def _fill(path: Path, made: _Whole, lines: Lines) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        with connection:
            for table, shape in made.shapes.items():
                connection.execute(shape.create)
                connection.executemany(shape.insert(table), lines[table])
                for index in shape.indexes:
                    connection.execute(index)
            connection.execute(made.view)
            connection.execute("INSERT INTO document_fts (document_fts) VALUES ('optimize')")
            connection.execute(_SPELLINGS)
            connection.execute(
                "INSERT INTO spelling_fts (rowid, name) SELECT id, name FROM spelling"
            )
            connection.execute("INSERT INTO spelling_fts (spelling_fts) VALUES ('optimize')")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("VACUUM")
