"""The knowledge base that a server answers from: found at start-up, read by every page."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import tempfile
import threading
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import msmap
from msmap import database, model, releases
from msmap.errors import DatabaseError
from msmap.query.knowledge_base import KnowledgeBase

# The site, and the library that its answers come from.
_CODE = (Path(__file__).parent.parent, Path(msmap.__file__).parent)
_SUFFIXES = (".py", ".html", ".css", ".js", ".svg", ".json", ".png")
# A database of msmap has these; whether this msmap can read it is another question.
_TABLES = {"meta", "record", "spelling"}
# Bases keep the records that they have read, about 20 kB each; of more than so many they let go.
# Where answers are kept besides, a record is seldom read twice.
REMEMBERED, REMEMBERED_QUICK = 1500, 100

T = TypeVar("T")


class TakesLong(Exception):
    """What was asked takes a search or more, which isn't made where others wait for it."""


class _Quick(KnowledgeBase):
    """The base of who answers everybody: what takes long is left to another process."""

    def search(
        self, text: str, limit: int = 20, kind: str | None = None
    ) -> list[model.Hit]:  # fmt: skip
        raise TakesLong

    def nearest(self, name: str, count: int = 5) -> tuple[str, ...]:
        raise TakesLong

    def _rewritten(self, record: model.Record) -> model.Record:
        raise TakesLong


class Served:
    """One msmap database as a server reads it: a copy of its own, whatever becomes of the file.

    ``database`` is Datasette's name for it. ``folder`` has the copy, and what is made of it; it
    goes with the process. ``version`` changes when the database or the site's own code does, so an
    answer is the same as long as it is. Where it is ``quick``, what takes long raises
    ``TakesLong``: a search, a port, and what held as of an earlier release.

    Raises:
        DatabaseError: it is missing, damaged, or of another schema version.
    """

    def __init__(self, name: str, path: str) -> None:
        self.database = name
        self.folder = Path(tempfile.mkdtemp(prefix="msmap-"))
        weakref.finalize(self, _remove, self.folder, os.getpid())
        self.path = str(self.folder / "msmap.db")
        _copy(Path(path), Path(self.path))
        _sound(path, self.path)
        self.version = hashlib.sha256(Path(self.path).read_bytes() + _code()).hexdigest()[:16]
        self._begin()

    def _begin(self) -> None:
        self.quick = False
        self._own = threading.local()
        self._once: dict[tuple[Callable[..., Any], str], Any] = {}

    @property
    def size(self) -> int:
        """How many bytes the database has."""
        return os.path.getsize(self.path)

    @property
    def kb(self) -> KnowledgeBase:
        """The knowledge base of this thread: SQLite's connections stay in theirs.

        Pages are made in the thread of the event loop, because a query takes less time than a
        change of threads; what takes long is made in another process.
        """
        return self.as_of(None)

    def as_of(self, release: str | None, device: str | None = None) -> KnowledgeBase:
        """The knowledge base as of a MindSpore release and for a device, opened once a thread.

        ``device`` is one of ``vocabulary.PLATFORMS``; "" and None are for all.

        Raises:
            UnknownRelease: the database knows nothing of that release.
            TakesLong: it is an earlier one.
        """
        opened: dict[tuple[str | None, str], KnowledgeBase] = self._own.__dict__.setdefault(
            "opened", {}
        )
        if release is not None:
            # By its own name: a reader's spellings would each open the database once more.
            known = list(self.as_of(None).known_releases())
            release = releases.choose(release, known, "MindSpore")
            if release == known[-1]:
                release = None
            elif self.quick:
                raise TakesLong
        # All devices share what one base has read.
        bases = [base for (_, shared), base in opened.items() if not shared]
        if sum(b.remembered for b in bases) > (REMEMBERED_QUICK if self.quick else REMEMBERED):
            for base in bases:
                base.forget()
        key = release, device or ""
        if key not in opened:
            kind = _Quick if self.quick else KnowledgeBase
            opened[key] = (
                self.as_of(release).on(device) if device else kind.open(self.path, release)
            )
        return opened[key]

    def once(self, asked: Callable[[KnowledgeBase], T], device: str = "") -> T:
        """What a function tells of the newest release, remembered; for a device if it matters."""
        key = asked, device
        if key not in self._once:
            self._once[key] = asked(self.as_of(None, device))
        found: T = self._once[key]
        return found

    def rest(self) -> None:
        """Close the database in this thread; what is remembered stays.

        A connection must not be used on both sides of a fork.
        """
        for (_, device), base in self._own.__dict__.pop("opened", {}).items():
            if not device:
                base.close()

    def __reduce__(self) -> Any:
        """Elsewhere it is the same: another process of this server reads the same copy."""
        return _again, (self.database, str(self.folder), self.version)


_elsewhere: dict[str, Served] = {}


def _again(name: str, folder: str, version: str) -> Served:
    if folder not in _elsewhere:
        found = Served.__new__(Served)
        found.database, found.folder, found.version = name, Path(folder), version
        found.path = str(found.folder / "msmap.db")
        found._begin()
        _elsewhere[folder] = found
    return _elsewhere[folder]


def _remove(folder: Path, owner: int) -> None:
    # A process that was forked has a copy of this too.
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


_served: WeakKeyDictionary[Any, Served] = WeakKeyDictionary()


def serving(datasette: Any) -> Served:
    """What a Datasette serves; found when it is first asked.

    Raises:
        DatabaseError: none of its databases is one that this msmap can read.
    """
    if datasette not in _served:
        files = {name: d.path for name, d in datasette.databases.items() if d.path}
        _served[datasette] = found(files)
    return _served[datasette]


def serve(datasette: Any, found: Served) -> None:
    """Have a Datasette serve what was found already."""
    _served[datasette] = found


def found(files: Mapping[str, str]) -> Served:
    """The database of msmap among some, by their names.

    Raises:
        DatabaseError: none of them is one that this msmap can read.
    """
    for name, path in files.items():
        if _looks_like_one(Path(path)):
            return Served(name, str(path))
    said = ", ".join(str(path) for path in files.values()) or "no database"
    raise DatabaseError(
        "nothing to serve: {} is no msmap database; build one with `msmap build` in a "
        "checkout, or run `msmap serve`",
        said,
    )


def _looks_like_one(path: Path) -> bool:
    """Whether it is one, or may have been one before it was damaged."""
    if not path.is_file() or _truncated(path) is not None:
        return True
    try:
        return _tables(str(path)) >= _TABLES
    except sqlite3.DatabaseError:
        return True


def _tables(path: str) -> set[str]:
    connection = sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True)
    try:
        rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {row[0] for row in rows}
    finally:
        connection.close()


def _copy(path: Path, place: Path) -> None:
    if not path.is_file():
        raise DatabaseError("no database at {}; build one with `msmap build` in a checkout", path)
    try:
        shutil.copyfile(path, place)
    except OSError as error:
        raise DatabaseError(
            "{} could not be copied to {} ({})", path, place, error.strerror
        ) from None


def _sound(path: str, copy: str) -> None:
    """That a copy of a database can be read, all of it.

    Raises:
        DatabaseError: it can't; says what of the original.
    """
    if (problem := _truncated(Path(copy))) is not None:
        raise database.damaged(path, sqlite3.DatabaseError(problem))
    try:
        connection = database.connect(copy)
    except DatabaseError as error:
        raise DatabaseError(str(error).replace(copy, path)) from None
    try:
        ((said, *_), *_) = connection.execute("PRAGMA quick_check(1)").fetchall()
        if said == "ok":
            missing = _TABLES - _tables(copy)
            said = f"it has no table {min(missing)}" if missing else said
    except sqlite3.DatabaseError as error:
        raise database.damaged(path, error) from None
    finally:
        connection.close()
    if said != "ok":
        raise database.damaged(path, sqlite3.DatabaseError(" ".join(str(said).split())[:200]))


def _truncated(path: Path) -> str | None:
    """What is missing at the end of a file, by its header: SQLite notices only on reading there."""
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
