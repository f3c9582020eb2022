"""The database file, filled anew or with other rows of a few owners: the same bytes either way.

What is written is a copy that SQLite makes: how rows came into the original leaves no trace in it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeAlias

from msmap.database import SCHEMA_VERSION
from msmap.store.shapes import WORDS, Lines, Shape

# A table, and the first and the last number of the rows that go.
Gone: TypeAlias = tuple[str, int, int]
LAST = 1 << 62

# What is copied is wanted by nobody after that. Documents of 2 kB would leave half of a usual page
# empty.
PRAGMAS = ("page_size = 8192", "synchronous = OFF", "journal_mode = OFF", "cache_size = -65536")

SPELLINGS = """
CREATE VIRTUAL TABLE "spelling_fts" USING FTS5 (
    "name",
    tokenize='trigram',
    content="spelling"
)
"""
SPELT = "INSERT INTO spelling_fts (rowid, name) SELECT id, name FROM spelling"


def fill(path: Path, shapes: Mapping[str, Shape], view: str, lines: Lines) -> None:
    """Make a database of all its rows.

    Args:
        path: where to; there is no such file yet.
        shapes: the tables, in the order in which they are made.
        view: what makes the view.
        lines: the rows, each with its number.
    """
    # An empty name is a file of SQLite's own, if memory won't do.
    with _copied("", path) as connection:
        for table, shape in shapes.items():
            connection.execute(shape.create)
            if table == WORDS:
                _index(connection, shape, lines)
            else:
                connection.executemany(shape.insert(table), lines.get(table, ()))
            for index in shape.indexes:
                connection.execute(index)
        connection.execute(view)
        connection.execute(SPELLINGS)
        connection.execute(SPELT)
        connection.execute("INSERT INTO spelling_fts (spelling_fts) VALUES ('optimize')")


def change(
    path: Path, before: bytes, shapes: Mapping[str, Shape], gone: Iterable[Gone], lines: Lines
) -> None:
    """Make a database of another one, as bytes, without some rows and with others.

    Words for search, if there are any, are those of everything.
    """
    work = path.with_name("before")
    work.write_bytes(before)
    with _copied(str(work), path) as connection:
        for table, first, last in gone:
            connection.execute(f'DELETE FROM "{table}" WHERE rowid BETWEEN ? AND ?', (first, last))
        for table, rows in lines.items():
            if table == WORDS:
                _index(connection, shapes[table], lines)
            else:
                connection.executemany(shapes[table].insert(table), rows)


def _index(connection: sqlite3.Connection, shape: Shape, lines: Lines) -> None:
    """Let search find these words and no others."""
    connection.execute(f"INSERT INTO {WORDS} ({WORDS}) VALUES ('delete-all')")
    connection.executemany(shape.insert(WORDS), lines.get(WORDS, ()))
    connection.execute(f"INSERT INTO {WORDS} ({WORDS}) VALUES ('optimize')")


@contextmanager
def _copied(work: str, path: Path) -> Iterator[sqlite3.Connection]:
    """A database in which to change what is then written to ``path``."""
    with closing(sqlite3.connect(work)) as connection:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        with connection:
            connection.execute("BEGIN")
            yield connection
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        # It counts how often tables were made, and the copy goes on from there.
        connection.execute("PRAGMA schema_version = 1")
        connection.execute("VACUUM INTO ?", (str(path),))
