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
    sought = _sought(names.clean(name))
    marks = " OR ".join("instr(document, ?)" for _ in sought)
    rows = connection.execute(
        f"SELECT id, document FROM guide WHERE {marks} ORDER BY id", sought
    ).fetchall()
    # As ``index`` would have it, which takes all names of a document to find one.
    ends = "|".join(map(re.escape, sought))
    # Of an enumeration of MindSpore's, which has no other use, a member stands for it.
    after = "[a-z]" if name.startswith("mindspore.") else r"\w"
    whole = re.compile(rf"(?<!\w)(?:{ends})(?!\w|\.+{after})") if rows else None
    return tuple(key for key, text in rows if whole is not None and whole.search(text))


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
    return tuple(sorted({key for text in _sought(name) for key in indexed.get(text, ())}))


def _sought(name: str) -> tuple[str, ...]:
    """What stands for a name in a text, any of these."""
    home, _, leaf = name.rpartition(".")
    if not (leaf.isalpha() and leaf.islower()):
        return (leaf,)
    owner = home.rpartition(".")[2]
    # A method of MindSpore's, for which a guide may write Model.train, or def bprop.
    if home.startswith("mindspore.") and owner[0].isupper() and owner != "Tensor":
        return f"{owner}.{leaf}", f"def {leaf}"
    return (name,)
