"""Guides that have a name in them."""

from __future__ import annotations

import re
import sqlite3


def guides(connection: sqlite3.Connection, name: str | None) -> tuple[str, ...]:
    """The guides that have a canonical name in them, or its last part if that is no word."""
    if name is None:
        return ()
    leaf = name.rsplit(".", 1)[-1]
    found = name if leaf.isalpha() and leaf.islower() else leaf
    rows = connection.execute(
        "SELECT id, document FROM guide WHERE instr(document, ?)", (found,)
    ).fetchall()
    whole = re.compile(rf"\b{re.escape(found)}(?![\w.]*\w)")
    return tuple(sorted(row[0] for row in rows if whole.search(row[1])))
