"""The rows of published tables, which change with what probing found and with nothing else."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping

from msmap import tabled
from msmap.assemble import tables
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.assemble.probes import Line, lines
from msmap.curated.tables import Table
from msmap.store import documents, shapes
from msmap.store.rows import Rows
from msmap.store.shapes import Lines, Shape

# The tables of the database that these rows are in.
TABLES = ("pair_table", "pair")


def look(found: Content) -> dict[str, Line]:
    """What probing found of every name with the newest release, recorded or not."""
    return lines(found.directory, found.base, [], recorded=None)


def digest(found: Content, told: Mapping[str, Line]) -> bytes:
    """Another one where any row would be another, as long as the signatures are the same."""
    made = hashlib.sha256()
    for written in found.files.tables:
        made.update(repr(written.item).encode())
    for line in told.values():
        made.update(line.digest)
    return made.digest()


def made(shapes_: Mapping[str, Shape], found: Content, told: Mapping[str, Line]) -> Lines:
    """The rows, numbered from 1."""
    rows: Rows = defaultdict(list)
    judge = tables.judge(found.base, told)
    for written in found.files.tables:
        rows["pair_table"].append(_table(written.item))
        for row in judge.rows(written.item):
            rows["pair"].append({"id": len(rows["pair"]) + 1, **_pair(found.base, row)})
    return shapes.lines(shapes_, rows)


def _table(written: Table) -> dict[str, str]:
    return {
        "id": written.id,
        "title_en": written.title.en,
        "title_zh": written.title.zh,
        "mindspore": written.mindspore,
        "url": written.url or "",
    }


def _pair(base: Base, row: tabled.Row) -> dict[str, object]:
    return {
        "table_id": row.table,
        "torch": row.torch,
        "mindspore": row.mindspore,
        "torch_name": base.torch_name(row.torch) or row.torch,
        "mindspore_name": base.mindspore.canonical(row.mindspore) or row.mindspore,
        "says": row.says,
        "verdict": row.verdict,
        "finding": row.finding,
        "document": documents.deflating("pair")(documents.encoded(row)),
    }
