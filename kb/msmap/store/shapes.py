"""The tables as SQLite needs them, without the library that they are written in.

A shape is plain data: it is kept from run to run, because to import that library takes longer than
to put the rows in.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, TypeAlias

# Rows by table, the values in the order of its columns.
Lines: TypeAlias = dict[str, list[Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class Shape:
    """A table: its columns, which of them hold JSON, and what makes it and its indexes.

    ``counted`` are the columns that hold ids given one by one, with the table they are of.
    """

    columns: tuple[str, ...]
    jsons: tuple[int, ...]
    counted: tuple[tuple[int, str], ...]
    create: str
    indexes: tuple[str, ...]

    def insert(self, table: str) -> str:
        """The statement that inserts a row."""
        columns = ", ".join(f'"{name}"' for name in self.columns)
        marks = ", ".join("?" * len(self.columns))
        return f'INSERT INTO "{table}" ({columns}) VALUES ({marks})'


def read() -> dict[str, Shape]:
    """The shapes of all tables, in the order in which they are made."""
    from sqlalchemy import JSON, Integer
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateIndex, CreateTable

    from msmap.store import tables

    dialect = sqlite.dialect()
    found = {}
    for model in tables.ALL:
        made = model.metadata.tables[str(model.__tablename__)]
        counted = [
            (place, str(key.column.table.name))
            for place, column in enumerate(made.columns)
            for key in column.foreign_keys
            if isinstance(column.type, Integer) and key.column.table.name != "release"
        ]
        if isinstance(made.columns[0].type, Integer):
            counted.append((0, str(made.name)))
        # A table has its indexes in a set, whose order changes from run to run.
        indexes = sorted(made.indexes, key=lambda index: str(index.name))
        # A name is of a class of SQLAlchemy's.
        found[str(made.name)] = Shape(
            tuple(str(column.name) for column in made.columns),
            tuple(p for p, c in enumerate(made.columns) if isinstance(c.type, JSON)),
            tuple(counted),
            str(CreateTable(made).compile(dialect=dialect)),
            tuple(str(CreateIndex(index).compile(dialect=dialect)) for index in indexes),
        )
    columns = ("rowid", "names", "title", "body")
    return found | {"document_fts": Shape(columns, (), ((0, "document"),), tables.WORDS, ())}


def lines(shapes: Mapping[str, Shape], rows: Mapping[str, list[dict[str, Any]]]) -> Lines:
    """Rows as their tables have them; what a row has beside the columns is left out."""
    found: Lines = {}
    for table, told in rows.items():
        shape = shapes[table]
        values = map(itemgetter(*shape.columns), told)
        found[table] = [_with_texts(row, shape.jsons) for row in values]
    return found


def _with_texts(row: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """A row whose lists and mappings in some places are texts; most are empty."""
    if not places:
        return row
    values = list(row)
    for place in places:
        value = values[place]
        values[place] = _JSON.encode(value) if value else "{}" if value == {} else "[]"
    return values


_JSON = json.JSONEncoder(separators=(",", ":"))


def together(shapes: Mapping[str, Shape], parts: Iterable[Lines]) -> Lines:
    """Several parts as one, with the ids of each after those of the parts before it."""
    found: Lines = {table: [] for table in shapes}
    for part in parts:
        before = {table: len(found[table]) for table in part}
        for table, told in part.items():
            counted = [(place, before[of]) for place, of in shapes[table].counted]
            if not any(offset for _, offset in counted):
                found[table] += told
                continue
            for row in told:
                values = list(row)
                for place, offset in counted:
                    values[place] += offset
                found[table].append(values)
    return found
