"""The database file, filled anew or with other rows of a few owners: the same bytes either way.

What is written is a copy that SQLite makes: how rows came into the original leaves no trace in it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from msmap.database import SCHEMA_VERSION
from msmap.store.shapes import Lines, Shape

# A table, and the first and the last number of the rows that go.
Gone: TypeAlias = tuple[str, int, int]
LAST = 1 << 62

# What is copied is wanted by nobody after that. Documents of 2 kB would leave half of a usual page
# empty.
PRAGMAS = ("page_size = 8192", "synchronous = OFF", "journal_mode = OFF", "cache_size = -65536")


def fill(path: Path, shapes: Mapping[str, Shape], lines: Lines) -> None:
    """Make a database of all its rows.

    Args:
        path: where to; there is no such file yet.
        shapes: the tables, in the order in which they are made.
        lines: the rows, each with its number.
    """
    from msmap.store import schema

    # An empty name is a file of SQLite's own, if memory won't do.
    with _copied("", path) as connection:
        schema.create(connection)
        with connection:
            for table, shape in shapes.items():
                # By hand: `insert_all` of sqlite-utils takes 3.7 times as long, a second of all.
                connection.executemany(shape.insert(table), lines.get(table, ()))
        schema.search(connection)


def change(
    path: Path, before: bytes, shapes: Mapping[str, Shape], gone: Sequence[Gone], lines: Lines
) -> None:
    """Make a database of another one, as bytes, without some rows and with others.

    By hand: a build after one changed record would wait longer for the import of sqlite-utils than
    for all of this.
    """
    work = path.with_name("before")
    work.write_bytes(before)
    with _copied(str(work), path) as connection, connection:
        searched = [table for table in shapes if _is_searched(connection, table)]
        old = {table: _words(connection, table, gone) for table in searched}
        for table, first, last in gone:
            connection.execute(f'DELETE FROM "{table}" WHERE rowid BETWEEN ? AND ?', (first, last))
        for table, rows in lines.items():
            connection.executemany(shapes[table].insert(table), rows)
        for table in searched:
            if _words(connection, table, gone) != old[table]:
                index = f"{table}_fts"
                connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")
                connection.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")


def _is_searched(connection: sqlite3.Connection, table: str) -> bool:
    """Whether there is a full-text index of columns of a table."""
    sql = "SELECT 1 FROM sqlite_master WHERE name = ? AND type = 'table'"
    return connection.execute(sql, (f"{table}_fts",)).fetchone() is not None


def _words(connection: sqlite3.Connection, table: str, gone: Iterable[Gone]) -> list[Any]:
    """What is indexed of the rows with some numbers."""
    columns = connection.execute(f"SELECT name FROM pragma_table_info('{table}_fts')").fetchall()
    named = ", ".join(f'"{name}"' for (name,) in columns)
    sql = f'SELECT rowid, {named} FROM "{table}" WHERE rowid BETWEEN ? AND ? ORDER BY rowid'
    spans = [span for of, *span in gone if of == table]
    return [row for span in spans for row in connection.execute(sql, span)]


@contextmanager
def _copied(work: str, path: Path) -> Iterator[sqlite3.Connection]:
    """A database in which to change what is then written to ``path``."""
    with closing(sqlite3.connect(work)) as connection:
        for pragma in PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        yield connection
        connection.commit()
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        # It counts how often tables were made, and the copy goes on from there.
        connection.execute("PRAGMA schema_version = 1")
        connection.execute("VACUUM INTO ?", (str(path),))
