"""Guides that have a name in them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping

from msmap import names


def guides(connection: sqlite3.Connection, name: str | None) -> tuple[str, ...]:
    """The guides that have a name in them, or its last part if that is no word."""
    if name is None:
        return ()
    name = names.clean(name)
    sought = _sought(name)
    rows = connection.execute(
        "SELECT id, document FROM guide WHERE instr(document, ?) ORDER BY id", (sought,)
    ).fetchall()
    # As ``index`` would have it, which takes all names of a document to find one.
    ends = re.compile(rf"(?<!\w){re.escape(sought)}(?!\w|\.+\w)") if rows else None
    return tuple(key for key, text in rows if ends is not None and ends.search(text))


_DOTTED = re.compile(r"\w(?:[\w.]*\w)?")


def index(documents: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    """The ids of documents by the names in them, and by what is behind a dot of one."""
    found: dict[str, set[str]] = {}
    for key, text in documents:
        for whole in set(_DOTTED.findall(text)):
            parts = whole.split(".")
            for place in range(len(parts)):
                found.setdefault(".".join(parts[place:]), set()).add(key)
    return found


def telling(name: str, indexed: Mapping[str, set[str]]) -> tuple[str, ...]:
    """The documents that have a canonical name in them, or its last part if that is no word."""
    return tuple(sorted(indexed.get(_sought(name), ())))


def _sought(name: str) -> str:
    leaf = name.rsplit(".", 1)[-1]
    return name if leaf.isalpha() and leaf.islower() else leaf
