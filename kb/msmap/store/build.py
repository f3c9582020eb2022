"""The database, built whole from data/ into a temporary file and moved into place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any

from sqlalchemy import JSON, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlite_utils import Database
from sqlmodel import SQLModel

from msmap import atomic
from msmap.assemble import content
from msmap.assemble.content import Content
from msmap.database import SCHEMA_VERSION
from msmap.errors import DatabaseError
from msmap.lint import run as lint
from msmap.model import owned
from msmap.problems import DataError, Problem
from msmap.store import rows, tables
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


@content.uncollected()
def build(directory: Path, path: Path) -> Built:
    """Build the database from a data directory; ``path`` is replaced whole or not at all.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
        DatabaseError: the disk is full, or ``path`` is a directory or a device.
    """
    found = content.read_all(directory, generation=GENERATION)
    if problems := lint.problems(found, only=_BLOCKING):
        raise DataError(problems)
    if path.exists() and not path.is_file():
        raise DatabaseError(f"{path} is not a file that a database could replace")
    base = found.base
    with atomic.replacing(path) as temporary:
        try:
            _fill(temporary, found)
        except OperationalError as error:
            raise DatabaseError(
                f"{path} could not be written ({error}); free some space there, or name another"
                " place with --output; what was there is as it was"
            ) from error
    checks = sum(map(len, owned(base.records.values(), base.guides.values()).values()))
    apis = len(base.torch.apis) + len(base.mindspore.apis)
    counts = (len(base.records), len(base.guides), len(found.claims()))
    return Built(path, *counts, checks, apis, found.problems)


# The file is a temporary one: what moves it into place writes it through to the disk, and nobody
# wants back what was in it.
_PRAGMAS = ("synchronous = OFF", "journal_mode = OFF", "cache_size = -65536")


_WORDS = """
CREATE VIRTUAL TABLE document_fts USING fts5(names, title, body, content='', tokenize='unicode61')
"""


def _fill(path: Path, found: Content) -> None:
    metadata, dialect = SQLModel.metadata, sqlite.dialect()
    database = Database(path)
    for pragma in _PRAGMAS:
        database.execute(f"PRAGMA {pragma}")
    with database.conn as connection:
        filled = rows.of(found)
        for table, lines in filled.items():
            made = metadata.tables[str(table.__tablename__)]
            connection.execute(str(CreateTable(made).compile(dialect=dialect)))
            connection.executemany(*_insert(made, lines))
            # A table has its indexes in a set, whose order changes from run to run.
            for index in sorted(made.indexes, key=lambda index: str(index.name)):
                connection.execute(str(CreateIndex(index).compile(dialect=dialect)))
        connection.execute(tables.EVIDENCE)
        # Nobody reads the words back: the index alone is kept.
        connection.execute(_WORDS)
        connection.executemany(
            "INSERT INTO document_fts (rowid, names, title, body)"
            " VALUES (:id, :names, :title, :body)",
            filled[tables.Document],
        )
        connection.execute("INSERT INTO document_fts (document_fts) VALUES ('optimize')")
    database.table("spelling").enable_fts(["name"], tokenize="trigram")
    database.table("spelling").optimize()
    database.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    database.vacuum()
    database.close()


def _insert(table: Table, lines: list[dict[str, Any]]) -> tuple[str, Iterator[Sequence[Any]]]:
    """The statement that inserts rows, and the rows: SQLAlchemy takes thrice as long over them.

    What a row has beside the columns of the table is left out.
    """
    names = [column.name for column in table.columns]
    jsons = [place for place, c in enumerate(table.columns) if isinstance(c.type, JSON)]
    marks = ", ".join("?" * len(names))
    values: Iterator[Sequence[Any]] = map(itemgetter(*names), lines)
    if jsons:
        values = (_with_texts(row, jsons) for row in values)
    columns = ", ".join(f'"{name}"' for name in names)
    return f'INSERT INTO "{table.name}" ({columns}) VALUES ({marks})', values


def _with_texts(row: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """A row whose lists and mappings in some places are texts; most are empty."""
    values = list(row)
    for place in places:
        value = values[place]
        values[place] = _JSON.encode(value) if value else "{}" if value == {} else "[]"
    return values


_JSON = json.JSONEncoder(separators=(",", ":"))
