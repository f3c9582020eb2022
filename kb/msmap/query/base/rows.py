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
        self._dictionaries: dict[str, bytes] = {}

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for functions that ask for themselves."""
        try:
            yield self.connection
        except sqlite3.DatabaseError as error:
            raise database.damaged(self.path, error) from None

    def inflated(self, kind: str, stored: bytes, whole: bytes | None = None) -> str:
        """A text of a kind from what is stored of it, and of another one if it is like that."""
        shared = self._dictionaries.get(kind)
        if shared is None:
            with self.reading() as connection:
                shared = self._dictionaries[kind] = database.dictionary(connection, kind)
        if whole is not None:
            shared = database.inflated(whole, shared).encode()
        return database.inflated(stored, shared)

    def record(self, name: str) -> str | None:
        """The record of a canonical PyTorch name with the newest release, as JSON."""
        found = self(database.RECORD, (name,))
        return self.inflated("record", *found[0]) if found else None

    def __call__(self, sql: str, values: Iterable[Any] | Mapping[str, Any] = ()) -> list[Row]:
        """The rows of a query, with values for its marks or its names."""
        given = values if isinstance(values, Mapping) else tuple(values)
        with self.reading() as connection:
            return connection.execute(sql, given).fetchall()
