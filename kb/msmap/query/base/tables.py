"""The tables as anybody may look at them: their columns, and their rows, a few at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from msmap.errors import NotFound
from msmap.query.base.asked import Asked

# What only programs read is no table to look at: indexes, and texts that are stored made.
SHOWN = (
    "record", "target", "parameter", "state", "caveat", "check", "evidence", "environment", "probe",
    "api", "past_api", "release", "reference", "guide", "claim", "claim_place", "claim_subject",
    "source", "pair_table", "pair",
)  # fmt: skip
# Whole items as JSON, which the ND-JSON has in plain.
_WHOLE = ("document",)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns but those of whole items, and how many rows it has."""

    name: str
    columns: tuple[str, ...]
    rows: int


def tables(kb: Asked) -> tuple[Table, ...]:
    """All tables that are shown, in the order in which they are read."""
    return tuple(_table(kb, name) for name in SHOWN)


def _table(kb: Asked, name: str) -> Table:
    columns = [row[0] for row in kb.rows("SELECT name FROM pragma_table_info(?)", (name,))]
    ((rows,),) = kb.rows(f'SELECT count(*) FROM "{name}"')
    return Table(name, tuple(c for c in columns if c not in _WHOLE), rows)


def rows(kb: Asked, table: Table, start: int, size: int) -> list[tuple[Any, ...]]:
    """``size`` rows of a table from the one at ``start``, which counts from 0.

    Raises:
        NotFound: there is no such table.
    """
    if table.name not in SHOWN:
        raise NotFound(table.name, None, SHOWN)
    columns = ", ".join(f'"{column}"' for column in table.columns)
    return kb.rows(f'SELECT {columns} FROM "{table.name}" LIMIT ? OFFSET ?', (size, start))
