"""The commonest call, `msmap lookup NAME` into a pipe, without importing what it doesn't need."""

from __future__ import annotations

import os
import sqlite3
import sys

from msmap import database as index
from msmap.errors import MsmapError


def language(chosen: str | None) -> str:
    """The language to speak: the one chosen, else that of the locale."""
    if chosen:
        return chosen
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if found := os.environ.get(name):
            return "zh" if found.lower().startswith("zh") else "en"
    return "en"


def lookup(names: list[str], tongue: str) -> bool:
    """Print the stored pages; False, with nothing printed, if anything is not plainly there."""
    try:
        connection = index.connect(index.path())
    except MsmapError:
        return False
    try:
        pages = [index.page(connection, name, tongue) for name in names]
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    found = [page for page in pages if page is not None]
    if len(found) < len(names):
        return False
    sys.stdout.write("\n".join(found))
    return True
