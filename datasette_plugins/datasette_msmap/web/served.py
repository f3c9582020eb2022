"""The knowledge base that a server answers from: found at start-up, read by every page."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import click
from datasette.utils import StartupError

import msmap
from msmap import database, releases
from msmap.errors import DatabaseError
from msmap.query.knowledge_base import KnowledgeBase

# The site, and the library that its answers come from.
_CODE = (Path(__file__).parent.parent, Path(msmap.__file__).parent)
_SUFFIXES = (".py", ".html", ".css", ".js", ".svg", ".json")
# A database of msmap has these; whether this msmap can read it is another question.
_TABLES = {"meta", "record", "spelling"}
# A base keeps the records that it has read, about 35 kB each; after so many questions it lets go.
_REMEMBERED = 2000


class BadDatabase(StartupError, click.ClickException):  # type: ignore[misc]
    """Nothing here can be served; `datasette` prints the message alone, without a traceback."""

    def __init__(self, message: str) -> None:
        click.ClickException.__init__(self, message)


class Served:
    """One msmap database as a server reads it.

    ``database`` is Datasette's name for it. ``version`` changes when the database or the site's
    own code does, so an answer is the same as long as it is.
    """

    def __init__(self, name: str, path: str) -> None:
        self.database, self.path = name, path
        self.version = hashlib.sha256(Path(path).read_bytes() + _code()).hexdigest()[:16]
        self._own = threading.local()

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base of this thread: SQLite's connections stay in theirs.

        Pages are made in the thread of the event loop, because a query takes less time than a
        change of threads; only what takes long is made in another.
        """
        return self.as_of(None)

    def as_of(self, release: str | None, device: str | None = None) -> KnowledgeBase:
        """The knowledge base as of a MindSpore release and for a device, opened once a thread.

        ``device`` is one of ``vocabulary.PLATFORMS``; "" and None are for all.

        Raises:
            UnknownRelease: the database knows nothing of that release.
        """
        opened: dict[tuple[str | None, str], KnowledgeBase] = self._own.__dict__.setdefault(
            "opened", {}
        )
        if release is not None:
            # By its own name: a reader's spellings would each open the database once more.
            known = list(self.as_of(None).known_releases())
            release = releases.choose(release, known, "MindSpore")
        key = release, device or ""
        if key not in opened:
            opened[key] = KnowledgeBase.open(self.path, release, device or None)
        self._own.asked = getattr(self._own, "asked", 0) + 1
        if self._own.asked % _REMEMBERED == 0:
            for base in opened.values():
                base.forget()
        return opened[key]


_served: WeakKeyDictionary[Any, Served] = WeakKeyDictionary()


def serving(datasette: Any) -> Served:
    """What a server serves; found when it started.

    Raises:
        BadDatabase: none of its databases is one that this msmap can read.
    """
    if datasette not in _served:
        _served[datasette] = _find(datasette)
    return _served[datasette]


def _find(datasette: Any) -> Served:
    files = {name: d.path for name, d in datasette.databases.items() if d.path}
    for name, path in files.items():
        problem = _truncated(Path(path))
        if problem is None and not _is_msmap(path):
            continue
        try:
            if problem is not None:
                raise database.damaged(path, sqlite3.DatabaseError(problem))
            served = Served(name, str(path))
            served.kb.releases()
            served.kb.rows("SELECT count(*) FROM record")
        except DatabaseError as error:
            raise BadDatabase(f"msmap: {error}") from None
        return served
    said = ", ".join(str(path) for path in files.values()) or "no database"
    raise BadDatabase(
        f"msmap: nothing to serve: {said} is no msmap database; build one with `msmap build` in a"
        " checkout, or run `msmap serve`"
    )


def _is_msmap(path: str) -> bool:
    try:
        connection = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
        try:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return {row[0] for row in rows} >= _TABLES
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise BadDatabase(f"msmap: {database.damaged(path, error)}") from None


def _truncated(path: Path) -> str | None:
    """What is missing at the end of a file, by its header: SQLite notices only on reading there."""
    if not path.is_file():
        raise BadDatabase(f"msmap: no database at {path}; build one with `msmap build`")
    with path.open("rb") as file:
        header = file.read(100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        return None if len(header) == 0 else _foreign(header)
    size = int.from_bytes(header[16:18], "big")
    wanted = (65536 if size == 1 else size) * int.from_bytes(header[28:32], "big")
    if path.stat().st_size < wanted:
        return f"it should have {wanted} bytes and has {path.stat().st_size}"
    return None


def _foreign(header: bytes) -> str:
    return "its header is cut off" if header.startswith(b"SQLite") else "it is no SQLite file"


def _code() -> bytes:
    """A digest of the code, templates and static files: they make the answer too."""
    found = hashlib.sha256()
    for path in sources():
        found.update(path.read_bytes())
    return found.digest()


def sources() -> list[Path]:
    """The files, beside the database, that an answer may depend on."""
    return [p for room in _CODE for p in sorted(room.rglob("*")) if p.suffix in _SUFFIXES]
