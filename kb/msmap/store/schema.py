"""The schema: tables and indexes by SQLModel, views and full-text search by sqlite-utils."""

from __future__ import annotations

import sqlite3

from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable
from sqlite_utils import Database
from sqlmodel import SQLModel

from msmap.store import tables


def create(connection: sqlite3.Connection) -> None:
    """Make all tables, empty, with their indexes.

    With indexes there, rows go in as fast as without, and the copy that is kept is packed.
    """
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    with engine.begin() as made:
        for table in (SQLModel.metadata.tables[str(one.__tablename__)] for one in tables.ALL):
            made.execute(CreateTable(table))
            # `create_all` takes indexes from a set, whose order changes from run to run.
            for index in sorted(table.indexes, key=lambda index: str(index.name)):
                index.create(made)


def search(connection: sqlite3.Connection) -> None:
    """Make the views, and let the words of filled tables be found, as Datasette expects it."""
    made = Database(connection, recursive_triggers=False, execute_plugins=False)
    for name, sql in tables.VIEWS.items():
        made.create_view(name, sql)
    for table, (columns, tokenizer) in tables.SEARCHED.items():
        made.table(table).enable_fts(columns, tokenize=tokenizer).optimize()
