"""Guides that have a name in them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable


def guides(connection: sqlite3.Connection, name: str | None) -> tuple[str, ...]:
    """The guides that have a canonical name in them, or its last part if that is no word."""
    if name is None:
        return ()
    sql = "SELECT id, document FROM guide WHERE instr(document, ?)"
    return telling(name, connection.execute(sql, (_sought(name),)).fetchall())


def telling(name: str, documents: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Those of some guides, by id, whose text has a canonical name in it."""
    found = _sought(name)
    whole = re.compile(rf"\b{re.escape(found)}(?![\w.]*\w)")
    return tuple(sorted(key for key, text in documents if found in text and whole.search(text)))


def _sought(name: str) -> str:
    leaf = name.rsplit(".", 1)[-1]
    return name if leaf.isalpha() and leaf.islower() else leaf
