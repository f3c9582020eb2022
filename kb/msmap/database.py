"""The database opened, and names found in it: all that the quickest answers need.

This module imports next to nothing, because a cold `msmap lookup` waits for every import.
"""

from __future__ import annotations

import os
import sqlite3
import zlib

from msmap import names
from msmap.errors import DatabaseError

# SQLite's user_version: of the tables alone.
SCHEMA_VERSION = 15
# The schema_version of what is answered as JSON, in whatever tables it stood.
ANSWERS_VERSION = 6
SHIPPED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "msmap.db")


def path(wanted: os.PathLike[str] | str | None = None) -> str:
    """Where the database is: the path wanted, else ``$MSMAP_DB``, else the shipped one."""
    return os.fspath(wanted or os.environ.get("MSMAP_DB") or SHIPPED)


def connect(place: str) -> sqlite3.Connection:
    """Open a database for reading.

    Raises:
        DatabaseError: it is missing, damaged, or of another schema version.
    """
    if not os.path.isfile(place):
        raise DatabaseError("no database at {}; build one with `msmap build` in a checkout", place)
    try:
        connection = sqlite3.connect(f"file:{_quoted(place)}?mode=ro", uri=True)
    except sqlite3.DatabaseError as error:
        raise damaged(place, error) from None
    try:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as error:
        connection.close()
        raise damaged(place, error) from None
    if version != SCHEMA_VERSION:
        connection.close()
        raise DatabaseError(
            "{} has schema version {}, this msmap reads {}; build it again with `msmap build`",
            place,
            version,
            SCHEMA_VERSION,
        )
    return connection


def damaged(place: str, error: sqlite3.DatabaseError) -> DatabaseError:
    """The error for a file that SQLite can't make sense of."""
    return DatabaseError(
        "{} can't be read as an msmap database ({}); build it again with `msmap build`",
        place,
        error,
    )


def _quoted(place: str) -> str:
    """A path as it may stand in a URI; urllib.parse would cost a tenth of a cold start."""
    for character in "%?#":
        place = place.replace(character, f"%{ord(character):02x}")
    return place


def inflated(stored: bytes, like: bytes = b"") -> str:
    """A text from what is stored of it; ``like`` is what it was deflated with, if anything."""
    reader = zlib.decompressobj(zdict=like) if like else zlib.decompressobj()
    return (reader.decompress(stored) + reader.flush()).decode()


def dictionary(connection: sqlite3.Connection, kind: str) -> bytes:
    """What texts of a kind are deflated with: record, probe, page or pair."""
    sql = "SELECT text FROM dictionary WHERE kind = ?"
    return bytes(connection.execute(sql, (kind,)).fetchone()[0])


def like(connection: sqlite3.Connection, kind: str, whole: bytes | None) -> bytes:
    """The same for one text; ``whole`` is another one, as it is stored, that it is like."""
    shared = dictionary(connection, kind)
    return shared if whole is None else inflated(whole, shared).encode()


# A record, and the one whose answer it shares, if it does.
RECORD = (
    "SELECT r.document, h.document FROM record r LEFT JOIN record h ON h.torch = r.family"
    " WHERE r.torch = ?"
)


def record(connection: sqlite3.Connection, name: str | None) -> str | None:
    """The record of a canonical PyTorch name with the newest release, as JSON."""
    found = connection.execute(RECORD, (name,)).fetchone()
    return inflated(found[0], like(connection, "record", found[1])) if found else None


def resolve(connection: sqlite3.Connection, spelling: str, framework: str) -> str | None:
    """The canonical name of any usual spelling, or None.

    A PyTorch name with a record of its own stands for itself even where it is an alias; what it
    is an alias of, and has no record, is stored as an alias of it. Of a last part alone, what has a
    record stands before what hasn't.
    """
    torch = framework == "torch"
    if not torch and spelling.startswith("torch."):
        return None
    # What no documentation has stands behind what differs in case: lstm is nn.LSTM.
    if torch and (found := namesakes(connection, spelling)):
        spelling = found[0] if spelling in map(_leaf, found) else spelling
    for name in names.torch_spellings(spelling) if torch else names.mindspore_spellings(spelling):
        if torch and connection.execute("SELECT 1 FROM record WHERE torch = ?", (name,)).fetchone():
            return name
        found = connection.execute(
            "SELECT name, alias_of FROM api WHERE framework = ? AND name = ? UNION ALL"
            " SELECT name, alias_of FROM api WHERE framework = ? AND defined = ? LIMIT 1",
            (framework, name, framework, name),
        ).fetchone()
        if found:
            return str(found[1] or found[0])
    return _of_alias(connection, spelling, framework)


def namesakes(connection: sqlite3.Connection, leaf: str) -> list[str]:
    """PyTorch's names with a record whose last part is a word; the likeliest first.

    As it is written comes before what differs in case and underscores; none if it isn't one word.
    """
    if not leaf.isidentifier():
        return []
    sql = (
        "SELECT name, documented FROM spelling WHERE framework = 'torch' AND curated"
        " AND replace(lower(leaf), '_', '') = ? AND name IN (SELECT torch FROM record)"
    )
    found = dict(connection.execute(sql, (leaf.lower().replace("_", ""),)).fetchall())

    def rank(name: str) -> tuple[bool, bool, int, bool, int, str]:
        home = name.rpartition(".")[0]
        place = _HOMES.index(home) if home in _HOMES else len(_HOMES) + name.count(".")
        # Methods of what such a place has, before those of other classes.
        return (
            # What functions of torch.nn.functional call has other arguments than they have.
            not found[name],
            _leaf(name) != leaf,
            place,
            not home.startswith(_WITHIN),
            len(name),
            name,
        )

    return sorted(found, key=rank)


# Where a last part alone most likely belongs.
_HOMES = ("torch", "torch.nn", "torch.nn.functional", "torch.Tensor", "torch.optim")
_WITHIN = tuple(f"{home}." for home in _HOMES[1:])


def _leaf(name: str) -> str:
    return name.rpartition(".")[2]


def others(connection: sqlite3.Connection, spelling: str, name: str | None) -> list[str]:
    """What else a word that stands for a name may have meant; none of a name with its module."""
    found = namesakes(connection, spelling)
    return [
        other for other in found if other != name and resolve(connection, other, "torch") != name
    ]


def _of_alias(connection: sqlite3.Connection, spelling: str, framework: str) -> str | None:
    """The canonical name of what is said to be of an alias: mindspore.Model.train."""
    head, _, leaf = names.clean(spelling).rpartition(".")
    if not head:
        return None
    found = connection.execute(
        "SELECT name FROM api WHERE framework = ? AND name ="
        " (SELECT alias_of FROM api WHERE framework = ? AND name = ?) || '.' || ?",
        (framework, framework, head, leaf),
    ).fetchone()
    return str(found[0]) if found else None


def behind(connection: sqlite3.Connection, text: str) -> str | None:
    """What answers for an attribute that is of no list; None if nothing does.

    ``torch.__version__`` for ``torch.__version__.split``, ``torch.optim.Optimizer.step`` for
    ``torch.optim.SGD.step``, ``torch.nn.Linear`` for ``torch.nn.Linear.in_features``.
    """
    if not names.is_torch_spelling(text):
        return None
    if (found := _member(connection, text)) is not None:
        return found
    for head in names.heads(text):
        row = connection.execute("SELECT kind FROM record WHERE torch = ?", (head,)).fetchone()
        if row:
            closed = row[0] in _CLOSED and head not in _OPEN and "__" not in text
            return None if closed else head
    return None


# All that these have is listed, or there is nothing: torch.relu has no attributes of its own.
_CLOSED = ("class", "module", "function", "method")
# What these have is made when it is asked for: no list can have it.
_OPEN = ("torch.classes", "torch.ops")


def _member(connection: sqlite3.Connection, text: str) -> str | None:
    """What a class has of that name from the nearest class above it, or the class whose it is."""
    head, _, leaf = names.torch_spellings(text)[0].rpartition(".")
    known = resolve(connection, head, "torch") if head.count(".") else None
    sql = "SELECT base, members FROM api WHERE framework = 'torch' AND name = ?"
    home = known
    while home and (row := connection.execute(sql, (home,)).fetchone()):
        if f'"{leaf}"' in row[1]:
            return home
        home = row[0]
        name = f"{home}.{leaf}"
        if home and resolve(connection, name, "torch") == name:
            return name
    return None


def means_mindspore(connection: sqlite3.Connection, spelling: str) -> bool:
    """Whether a spelling means a MindSpore name; where both have it, PyTorch is meant."""
    if spelling.startswith(("mindspore.", "torch.")):
        return spelling.startswith("mindspore.")
    if resolve(connection, spelling, "torch") is not None:
        return False
    return resolve(connection, spelling, "mindspore") is not None


# What stands between the styles of a stored page: Unicode gives these no meaning, so that no text
# has them. Before the styles, how a line stands that is wrapped: ``HANG``, once for each cell that
# what is broken off stands further in, and ``WHOLE``, if its parts aren't to be broken.
MARKS = "".join(map(chr, range(0xFDD0, 0xFDD7)))
HANG, WHOLE = map(chr, (0xFDD7, 0xFDD8))
# The mark of what matters least.
FAINT = MARKS[2]
_UNMARKED = dict.fromkeys(map(ord, MARKS + HANG + WHOLE))
# Between the short page of a name and the full one, in English and then in Chinese.
FOLD = "\f"


def page(
    connection: sqlite3.Connection, spelling: str, language: str, full: bool = False
) -> str | None:
    """The page of a name, as it was rendered when the database was built, with marks of style.

    Args:
        connection: the database.
        spelling: the name in any usual spelling.
        language: ``zh`` for Chinese; any other is English.
        full: with the evidence and all targets; else what fits on a screen.
    """
    mindspore = means_mindspore(connection, spelling)
    name = resolve(connection, spelling, "mindspore" if mindspore else "torch")
    sql = 'SELECT p.text, h.text FROM page p LEFT JOIN page h ON h.name = p."like" WHERE p.name = ?'
    found = connection.execute(sql, (name,)).fetchone()
    if not found:
        return None
    told = inflated(found[0], like(connection, "page", found[1])).split(FOLD)
    half = len(told) // 2
    return (told[half:] if language == "zh" else told[:half])[-1 if full else 0]


# The id of the newest release of MindSpore, as SQL.
NEWEST = "(SELECT max(id) FROM release WHERE framework = 'mindspore')"


def probe(connection: sqlite3.Connection, name: str) -> str | None:
    """What probing found of a canonical PyTorch name with the newest release, as JSON."""
    found = connection.execute(
        f"SELECT document FROM probe WHERE torch = ? AND release = {NEWEST}", (name,)
    ).fetchone()
    return inflated(found[0], dictionary(connection, "probe")) if found else None


def plain(page: str) -> str:
    """A stored page as plain text."""
    return "\n".join(line.rstrip() for line in page.translate(_UNMARKED).split("\n"))
