"""A database asked in SQL, for the readers that know its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

from msmap import database

Row: TypeAlias = tuple[Any, ...]


class Rows:
    """An open database; what SQLite can't make sense of is said of the database as a whole.

    Raises:
        DatabaseError: there is none at ``path``, or it can't be read.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.connection = database.connect(path)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for functions that ask for themselves."""
        try:
            yield self.connection
        except sqlite3.DatabaseError as error:
            raise database.damaged(self.path, error) from None

    def __call__(self, sql: str, values: Iterable[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """The rows of a query, with values for its marks or its names."""
        given = values if isinstance(values, Mapping) else tuple(values)
        with self.reading() as connection:
            return connection.execute(sql, given).fetchall()
