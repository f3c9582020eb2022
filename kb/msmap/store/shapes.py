"""The columns of the tables, without the library that declares them.

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
    """A table: its columns, and which of them hold JSON.

    The first column is the number of a row, be it shown or not; ``counted`` are the columns that
    hold such numbers, with the table they are of.
    """

    columns: tuple[str, ...]
    jsons: tuple[int, ...]
    counted: tuple[tuple[int, str], ...]

    def insert(self, table: str) -> str:
        """The statement that inserts a row."""
        columns = ", ".join(f'"{name}"' for name in self.columns)
        marks = ", ".join("?" * len(self.columns))
        return f'INSERT INTO "{table}" ({columns}) VALUES ({marks})'


def read() -> dict[str, Shape]:
    """The shapes of all tables, in the order in which they are made."""
    from sqlalchemy import JSON, Integer

    from msmap.store import tables

    found = {}
    for model in tables.ALL:
        made = model.metadata.tables[str(model.__tablename__)]
        # What has no number of its own has a hidden one.
        hidden = () if isinstance(made.columns[0].type, Integer) else ("rowid",)
        counted = [
            (place, str(key.column.table.name))
            for place, column in enumerate(made.columns, len(hidden))
            for key in column.foreign_keys
            if isinstance(column.type, Integer) and key.column.table.name != "release"
        ]
        # A name is of a class of SQLAlchemy's.
        found[str(made.name)] = Shape(
            (*hidden, *(str(column.name) for column in made.columns)),
            tuple(p for p, c in enumerate(made.columns, len(hidden)) if isinstance(c.type, JSON)),
            ((0, str(made.name)), *counted),
        )
    return found


def lines(shapes: Mapping[str, Shape], rows: Mapping[str, list[dict[str, Any]]]) -> Lines:
    """Rows as their tables have them; what a row has beside the columns is left out."""
    found: Lines = {}
    for table, told in rows.items():
        shape = shapes[table]
        if shape.columns[0] == "rowid":
            values = itemgetter(*shape.columns[1:])
            plain = [(number, *values(row)) for number, row in enumerate(told, 1)]
        else:
            plain = list(map(itemgetter(*shape.columns), told))
        found[table] = [_with_texts(row, shape.jsons) for row in plain]
    return found


def _with_texts(row: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """A row whose lists and mappings in some places are texts, as some are; most are empty."""
    if not places:
        return row
    values = list(row)
    for place in places:
        value = values[place]
        if isinstance(value, str):
            continue
        values[place] = _JSON.encode(value) if value else "{}" if value == {} else "[]"
    return values


_JSON = json.JSONEncoder(separators=(",", ":"))


def strides(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """How far apart the numbers of two owners begin in each table, if they have so many rows.

    A power of two, so that it seldom becomes another: then every number would.
    """
    most: dict[str, int] = {}
    for told in counts:
        for table, count in told.items():
            most[table] = max(most.get(table, 1), count)
    return {table: 1 << (count - 1).bit_length() for table, count in sorted(most.items())}


def moved(shapes: Mapping[str, Shape], part: Lines, by: Mapping[str, int]) -> Lines:
    """Rows with higher numbers: by how much, is told by the table that a number is of."""
    found: Lines = {}
    for table, told in part.items():
        counted = [(place, by[of]) for place, of in shapes[table].counted if by.get(of)]
        if not counted:
            found[table] = told
            continue
        rows: list[Sequence[Any]] = []
        for row in told:
            values = list(row)
            for place, offset in counted:
                values[place] += offset
            rows.append(values)
        found[table] = rows
    return found


def add(lines: Lines, more: Lines) -> None:
    """Put more rows after those that there are."""
    for table, rows in more.items():
        lines.setdefault(table, []).extend(rows)
