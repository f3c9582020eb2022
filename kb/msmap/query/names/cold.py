"""What the commonest lookups need, read without any object being made.

A cold `msmap lookup` waits for every import. Where more than is stored is needed to know, such as
of names of other releases, the answer is None, and ``query.answers`` has it.
"""

from __future__ import annotations

import sqlite3

from msmap import database, names
from msmap.errors import MsmapError

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")

# A name, its canonical one if the frameworks have it, guides about it, and the nearest names.
Lost = tuple[str, "str | None", tuple[str, ...], tuple[str, ...]]


def pages(
    wanted: Sequence[str], language: str, full: bool = False
) -> tuple[list[tuple[str, list[str]]], list[Lost]] | None:
    """The stored pages of those names that have one, and what is known of the others.

    Beside a page stands what else its name may mean.
    """

    def read(
        connection: sqlite3.Connection,
    ) -> tuple[list[tuple[str, list[str]]], list[Lost]] | None:
        if any(_has_names(connection, name) for name in wanted):
            return None
        found = {name: database.page(connection, name, language, full) for name in wanted}
        told = [(page, _near(connection, name)) for name in wanted if (page := found[name])]
        lost = _lost(connection, [name for name in wanted if not found[name]])
        return None if lost is None else (told, lost)

    return _reading(read)


def _near(connection: sqlite3.Connection, word: str) -> list[str]:
    """What else a word that has a record may mean."""
    name = database.resolve(connection, word, "torch") if word.isidentifier() else None
    has = name and connection.execute("SELECT 1 FROM record WHERE torch = ?", (name,)).fetchone()
    return database.others(connection, word, name) if has else []


def lookup(wanted: Sequence[str]) -> tuple[dict[str, Any], list[Lost]] | None:
    """An ``answers.Lookup`` as plain data, and what is known of the names without a record."""

    def read(connection: sqlite3.Connection) -> tuple[dict[str, Any], list[Lost]] | None:
        if any(database.means_mindspore(connection, name) for name in wanted):
            return None
        if any(_has_names(connection, name) for name in wanted):
            return None
        told = {name: _recorded(connection, name) for name in wanted}
        lost = _lost(connection, [name for name, answer in told.items() if answer is None])
        if lost is None:
            return None
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        found = {
            "schema_version": database.ANSWERS_VERSION,
            "releases": {framework: meta[framework] for framework in ("torch", "mindspore")},
            "answers": [told[name] or _missed(lost, name) for name in wanted],
        }
        return found, lost

    return _reading(read)


def _reading(read: Callable[[sqlite3.Connection], T | None]) -> T | None:
    """What is read from the database; None if there is none that can be read."""
    try:
        connection = database.connect(database.path())
    except MsmapError:
        return None
    try:
        return read(connection)
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def _recorded(connection: sqlite3.Connection, spelling: str) -> dict[str, Any] | None:
    """The answer about a name that has a record or a probe."""
    import json

    name = database.resolve(connection, spelling, "torch")
    if record := database.record(connection, name):
        near = _near(connection, spelling)
        return _answer(spelling, "curated", record=json.loads(record), nearest=near)
    document = database.probe(connection, name) if name else None
    if name is None or document is None:
        return None
    from msmap.query.names import guides_of as about
    from msmap.query.names.nearest import siblings

    probe = json.loads(document)
    basis, known = ("known", name) if probe["reason"] else ("probed", None)
    return _answer(
        spelling, basis, probe=probe, known=known, nearest=siblings(connection, name)[:5],
        guides=about.guides(connection, name),
    )  # fmt: skip


def _missed(lost: list[Lost], spelling: str) -> dict[str, Any]:
    _, known, guides, near = next(told for told in lost if told[0] == spelling)
    basis = "known" if known else None
    return _answer(spelling, basis, found=False, known=known, nearest=near, guides=guides)


def _answer(query: str, basis: str | None, **told: Any) -> dict[str, Any]:
    """An ``answers.Answer`` as plain data."""
    return {
        "query": query, "found": True, "basis": basis, "record": None, "reverse": None,
        "probe": None, "known": None, "nearest": (), "elsewhere": None, "guides": (),
        "found_as": (), "port": None, "group": None, "told": (), **told,
    }  # fmt: skip


def _lost(connection: sqlite3.Connection, wanted: Sequence[str]) -> list[Lost] | None:
    """What is said of names without an answer."""
    if not wanted:
        return []
    from msmap.query.names import guides_of as about
    from msmap.query.names.nearest import nearest

    found: list[Lost] = []
    for name in wanted:
        if database.means_mindspore(connection, name) or _was_mindspore(connection, name):
            return None
        known = database.resolve(connection, name, "torch")
        if (
            _is_elsewhere(name)
            or _is_namespace(connection, known or name)
            or (not known and _pasted(connection, name))
        ):
            return None
        near = tuple(nearest(connection, known or name, 5))
        found.append((name, known, about.guides(connection, known or name), near))
    return found


def _is_elsewhere(name: str) -> bool:
    """Whether a name is of another package, of which ``query.understood`` tells."""
    if not names.may_be_elsewhere(name):
        return False
    from msmap import foreign

    return foreign.full(name) is not None


def _pasted(connection: sqlite3.Connection, text: str) -> bool:
    """Whether a text may stand for a name all the same: ``query.understood`` knows."""
    head, dot, _ = text.partition(".")
    if not text.replace(".", "_").isidentifier() or not text.isascii() or not head:
        return True
    if dot and head not in ("torch", *names.TORCH_PREFIXES, *names.MINDSPORE_PREFIXES):
        return True
    if "__" in text or database.behind(connection, text) is not None:
        return True
    spelled = [*names.torch_spellings(text), *names.mindspore_spellings(text)]
    folded = [name.lower().replace("_", "") for name in spelled]
    marks = ", ".join("?" * len(folded))
    sql = f"SELECT 1 FROM spelling WHERE replace(lower(name), '_', '') IN ({marks}) LIMIT 1"
    if connection.execute(sql, folded).fetchone() is not None:
        return True
    sql = "SELECT 1 FROM spelling WHERE curated AND replace(lower(leaf), '_', '') = ? LIMIT 1"
    return connection.execute(sql, (text.lower().replace("_", ""),)).fetchone() is not None


def _has_names(connection: sqlite3.Connection, spelling: str) -> bool:
    """Whether a name with a record is a namespace, of which it is told too what is in it."""
    name = database.resolve(connection, spelling, "torch")
    sql = "SELECT 1 FROM record WHERE torch = ? AND kind = 'module'"
    return connection.execute(sql, (name,)).fetchone() is not None


def _is_namespace(connection: sqlite3.Connection, name: str) -> bool:
    """Whether there are names in what a name stands for."""
    sql = (
        "SELECT 1 FROM spelling WHERE name >= ?1 AND name < ?2 UNION ALL"
        " SELECT 1 FROM api WHERE defined >= ?1 AND defined < ?2 LIMIT 1"
    )
    spelled = names.torch_spellings(name)
    return any(connection.execute(sql, (f"{s}.", f"{s}/")).fetchone() for s in spelled)


def _was_mindspore(connection: sqlite3.Connection, name: str) -> bool:
    """Whether MindSpore had a name."""
    return any(
        connection.execute("SELECT 1 FROM past_api WHERE name = ?", (spelling,)).fetchone()
        for spelling in names.mindspore_spellings(name)
    )
