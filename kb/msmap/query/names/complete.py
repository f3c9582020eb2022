"""What a word that is begun may become: names in any spelling, guides, claims, checks, releases.

A press of Tab waits for every import, so there are next to none.
"""

from __future__ import annotations

import sqlite3

from msmap import database, names
from msmap.errors import MsmapError

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_LAST = "\U0010ffff"
# Names that something is known of; what each is asked by is a range.
_NAMES = (
    "SELECT torch FROM record WHERE torch >= ?1 AND torch < ?2",
    "SELECT torch FROM probe WHERE torch >= ?1 AND torch < ?2",
    "SELECT api FROM target WHERE api >= ?1 AND api < ?2",
)
# What stands in a column, by the word for it.
_COLUMNS = {
    "guide": "SELECT id FROM guide",
    "topic": "SELECT DISTINCT topic FROM claim",
    "claim": "SELECT name FROM claim",
    "source": "SELECT id FROM source",
    "release": "SELECT name FROM release WHERE framework = 'mindspore'",
    "environment": "SELECT name FROM environment",
    "owner": "SELECT torch FROM record",
}


def complete(kind: str, text: str, before: str = "") -> list[str]:
    """What a text may become, in order; a name up to its next dot, as a path up to its folder.

    Args:
        kind: ``name``, ``page`` (of a name or a guide), ``check`` (of the record ``before``), or
            a word for a column.
        text: what is there so far.
        before: the word that stands before it.
    """
    try:
        connection = database.connect(database.path())
    except MsmapError:
        return []
    try:
        if kind == "name":
            return _names(connection, text)
        if kind == "page":
            return [*_names(connection, text), *_column(connection, "guide", text)]
        if kind == "check":
            return _checks(connection, text, before)
        return _column(connection, kind, text)
    except sqlite3.Error:
        return []
    finally:
        connection.close()


def _column(connection: sqlite3.Connection, kind: str, text: str) -> list[str]:
    return sorted(word for (word,) in connection.execute(_COLUMNS[kind]) if word.startswith(text))


def _checks(connection: sqlite3.Connection, text: str, owner: str) -> list[str]:
    name = database.resolve(connection, owner, "torch")
    rows = connection.execute('SELECT DISTINCT slug FROM "check" WHERE owner = ?', (name,))
    return sorted(slug for (slug,) in rows if slug.startswith(text))


def _names(connection: sqlite3.Connection, text: str) -> list[str]:
    """Names as they are spelt, by the module that the spelling begins with."""
    heads = ("torch", "mindspore", *names.TORCH_PREFIXES, *names.MINDSPORE_PREFIXES)
    begun = {f"{head}." for head in heads if head.startswith(text)}
    if not text:
        return sorted(begun)
    for full in (*names.torch_spellings(text), *names.mindspore_spellings(text)):
        begun |= set(_steps(_below(connection, full), full, text))
        if begun and "." in text:
            # The likeliest module is meant.
            break
    return sorted(begun)


def _below(connection: sqlite3.Connection, prefix: str) -> list[str]:
    """The names that begin so."""
    sql = " UNION ALL ".join(_NAMES)
    return [name for (name,) in connection.execute(sql, (prefix, prefix + _LAST))]


def _steps(found: Iterable[str], full: str, text: str) -> list[str]:
    """Names cut behind their next dot, spelt as the text is that the full prefix stands for."""
    steps = set()
    for name in found:
        step, dot, _ = name[len(full) :].partition(".")
        steps.add(f"{text}{step}{dot}")
    # What is private is only for who asks for it.
    public = {step for step in steps if not step.rpartition(".")[2].startswith("_")}
    return sorted(public or steps)
