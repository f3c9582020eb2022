"""The database, built whole from data/ into a temporary file and moved into place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import insert
from sqlite_utils import Database
from sqlmodel import SQLModel, create_engine

from msmap import atomic, content, index, rows
from msmap.assemble import Base
from msmap.lint import engine
from msmap.problems import DataError

# What a record must not be said to do if the rewriter can't do it.
_BLOCKING = ("check-can-be-ported", "placeholders-known")


@dataclass(frozen=True, slots=True)
class Built:
    """What went into a database."""

    path: Path
    records: int
    guides: int
    checks: int
    apis: int


def build(directory: Path, path: Path) -> Built:
    """Build the database from a data directory; ``path`` is replaced whole or not at all.

    Raises:
        DataError, files.SignatureFileError, evidence.EvidenceError: what is wrong, where.
    """
    found = content.read(directory)
    if problems := engine.problems(found, only=_BLOCKING):
        raise DataError(problems)
    base = found.base
    with atomic.replacing(path) as temporary:
        _fill(temporary, base)
    checks = sum(len(r.checks) for r in base.records.values())
    checks += sum(len(s.checks) for g in base.guides.values() for s in g.sections)
    apis = len(base.torch.apis) + len(base.mindspore.apis)
    return Built(path, len(base.records), len(base.guides), checks, apis)


def _fill(path: Path, base: Base) -> None:
    engine = create_engine(f"sqlite:///{path}")
    SQLModel.metadata.create_all(engine)
    with engine.begin() as connection:
        for table, lines in rows.of(base).items():
            if lines:
                connection.execute(insert(table), lines)
    engine.dispose()
    database = Database(path)
    database.table("document").enable_fts(["names", "title", "body"], tokenize="unicode61")
    database.table("spelling").enable_fts(["name"], tokenize="trigram")
    for name in ("document", "spelling"):
        database.table(name).optimize()
    database.execute(f"PRAGMA user_version = {index.SCHEMA_VERSION}")
    database.vacuum()
    database.close()
