"""The names nearest to one: those that share its last part, and those spelt nearly so."""

from __future__ import annotations

import sqlite3

from msmap import names, npu, private


def distance(one: str, other: str, limit: int = 6) -> int:
    """Edits between two words: insertions, deletions, changes, and swaps of neighbours.

    Stops at ``limit``, so that far names cost little (optimal string alignment).
    """
    if abs(len(one) - len(other)) >= limit:
        return limit
    if not one:
        return min(len(other), limit)
    # Bit i of a number is about the first i + 1 letters of ``one`` (Hyyrö's algorithm): where the
    # distance rises or falls by one from row to row, or is that of the diagonal.
    every, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    places: dict[str, int] = {}
    for i, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << i
    found, rises, falls, same, before = len(one), every, 0, 0, 0
    for left, letter in enumerate(other, 1 - len(other)):
        here = places.get(letter, 0)
        swapped = (~same & here) << 1 & before
        same = ((here & rises) + rises ^ rises | here | falls | swapped) & every
        right, fallen = falls | every & ~(same | rises), same & rises
        found += bool(right & last) - bool(fallen & last)
        # Each letter that is left takes at most one off.
        if found + left >= limit:
            return limit
        right = right << 1 | 1
        rises, falls, before = (fallen << 1 | ~(same | right)) & every, right & same & every, here
    return min(found, limit)


def nearest(connection: sqlite3.Connection, spelling: str, count: int = 5) -> list[str]:
    """Up to ``count`` known names, nearest first; curated ones before others at equal distance.

    Of a name that is known, those with the same last part come first.
    """
    written = names.clean(spelling)[:200]
    found = dict.fromkeys(siblings(connection, written))
    if (like := npu.cuda(written)) != written and _is_known(connection, like):
        found[like] = None
    if private.is_private(written):
        found |= dict.fromkeys(one for one in private.public(written) if _is_known(connection, one))
    if len(found) < count:
        found |= dict.fromkeys(_alike(connection, written, count + len(found)))
    return list(found)[:count]


def _is_known(connection: sqlite3.Connection, name: str) -> bool:
    sql = "SELECT 1 FROM spelling WHERE name = ? LIMIT 1"
    return connection.execute(sql, (name,)).fetchone() is not None


def siblings(connection: sqlite3.Connection, name: str) -> list[str]:
    """The known names that share the stem of a known one, in the order of ``names.siblings``."""
    # By the expression that has an index; with the name itself SQLite would look at all.
    sql = "SELECT name FROM spelling WHERE replace(lower(name), '_', '') = ?"
    if (name,) not in connection.execute(sql, (name.lower().replace("_", ""),)).fetchall():
        return []
    stem = names.stem(name)
    rows = connection.execute(
        "SELECT name, curated, documented FROM spelling"
        " WHERE replace(lower(leaf), '_', '') IN (?, ?)",
        (stem, f"{stem}loss"),
    ).fetchall()
    curated = {found for found, has_record, _ in rows if has_record}
    documented = {found for found, _, has_text in rows if has_text}
    found = names.siblings(name, (found for found, *_ in rows), curated)
    return sorted(found, key=lambda other: (other not in curated, other not in documented))


# A name, its last part, and whether it has a record and documentation.
_TOLD = "s.name, s.leaf, s.curated, s.documented"


def _alike(connection: sqlite3.Connection, written: str, count: int) -> list[str]:
    """Up to ``count`` names that are spelt nearly so, whatever they are.

    Trigrams find the candidates, the edit distance ranks them: by the last part of the name
    alone, then by the whole.
    """
    spelling = written.lower()
    leaf = spelling.rsplit(".", 1)[-1]
    # Nearly every name has these trigrams: they tell nothing, and take most of the time.
    telling = spelling.removeprefix("torch").removeprefix("mindspore").removeprefix(".nn")
    grams = {telling[i : i + 3] for i in range(len(telling) - 2)}
    grams |= {leaf[i : i + 3] for i in range(len(leaf) - 2)}
    found = {}
    if grams:
        words = " OR ".join('"' + g.replace('"', '""') + '"' for g in sorted(grams))
        rows = connection.execute(
            f"SELECT {_TOLD} FROM spelling_fts f JOIN spelling s ON s.id = f.rowid"
            " WHERE spelling_fts MATCH ? ORDER BY f.rank LIMIT 60",
            (words,),
        )
        found = {name: told for name, *told in rows}
    # Too short or too damaged for trigrams: names with a leaf of about the same length.
    rows = connection.execute(
        f"SELECT {_TOLD} FROM spelling s WHERE length(leaf) BETWEEN ? AND ?"
        " AND (substr(lower(leaf), 1, 1) = ? OR substr(lower(leaf), -1) = ?) LIMIT 3000"
        if len(leaf) < 6
        else f"SELECT {_TOLD} FROM spelling s WHERE replace(lower(leaf), '_', '') = ? LIMIT 100",
        (len(leaf) - 1, len(leaf) + 1, leaf[:1], leaf[-1:])
        if len(leaf) < 6
        else (leaf.replace("_", ""),),
    )
    found |= {name: told for name, *told in rows}
    ranked = sorted(
        found.items(),
        key=lambda item: (
            _rank(spelling, leaf, item[0], item[1][0]), *(not told for told in item[1][1:]),
            len(item[0]), item[0],
        ),
    )  # fmt: skip
    return [name for name, _ in ranked if name != written][:count]


def _rank(spelling: str, leaf: str, name: str, name_leaf: str) -> tuple[int, int]:
    # Who writes "nn.Dropot" leaves out what stands before.
    ending = ".".join(name.lower().split(".")[-spelling.count(".") - 1 :])
    whole = min(distance(spelling, name.lower()), distance(spelling, ending))
    return min(whole, 1 + distance(leaf, name_leaf.lower())), whole
