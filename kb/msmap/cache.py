"""What an earlier run worked out, in a file of the user's: only ever quicker, never needed.

Whatever is wrong with such a file, it is as if there were none.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import stat
import sys
import zlib
from contextlib import suppress
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from msmap import atomic

# As many files are left, the last written: of a data directory one a command, and the database.
_MOST = 12
_SUFFIX = ".kept"


def folder() -> Path | None:
    """Where the files are: ``$MSMAP_CACHE``, none if that is empty; else the user's own place."""
    wanted = os.environ.get("MSMAP_CACHE")
    if wanted is not None:
        return Path(wanted) if wanted else None
    try:
        from platformdirs import user_cache_path
    except ModuleNotFoundError:  # where a distribution is built
        return None
    return user_cache_path("msmap", appauthor=False)


def read(place: Path, name: str, made_by: bytes | None = None) -> Any:
    """What ``write`` was given under a name by this very program; None if there is no such thing.

    ``made_by`` is a digest of what made it, where that is less than the program.

    A pickle runs what its writer wants. It is read from a file of the user's own alone that nobody
    else may write, in a folder of that kind: who can put one there runs as the user already.
    """
    body = load(place, name, made_by=made_by)
    try:
        return None if body is None else pickle.loads(body)
    except Exception:  # a damaged pickle may raise anything
        return None


def write(
    place: Path, name: str, content: object, made_by: bytes | None = None, most: int | None = _MOST
) -> None:
    """Keep something under a name, in place of what was there; nothing if it can't be written.

    ``most`` files are left, the last written; None: all are.
    """
    save(place, name, dumps(content), made_by, most)


def dumps(content: object) -> bytes:
    """Something pickled so that it is soon unpickled."""
    made = io.BytesIO()
    _Pickler(made, pickle.HIGHEST_PROTOCOL).dump(content)
    return made.getvalue()


class _Pickler(pickle.Pickler):
    """Writes a frozen dataclass as a call of its class.

    As it is otherwise written, the fields of its class are looked up anew for each that is read.
    """

    def reducer_override(self, obj: object) -> Any:
        kind: Any = type(obj)
        names = _arguments(kind)
        if names is None:
            return NotImplemented
        return kind, tuple([getattr(obj, name) for name in names])


# More than there are such classes.
@lru_cache(maxsize=1 << 10)
def _arguments(kind: Any) -> tuple[str, ...] | None:
    """The fields that a frozen dataclass is made of, in order; None of another class."""
    told = vars(kind).get("__dataclass_params__")
    if told is None or not told.frozen:
        return None
    wanted = [field for field in fields(kind) if field.init]
    return None if any(field.kw_only for field in wanted) else tuple(f.name for f in wanted)


def load(
    place: Path, name: str, digest: bytes | None = None, made_by: bytes | None = None
) -> bytes | None:
    """The bytes that ``save`` was given under a name by this very program; None if there are none.

    With a digest, none but those of which ``save`` gave it; ``made_by`` is as for ``read``.
    """
    try:
        with (place / f"{name}{_SUFFIX}").open("rb") as file:
            if not (_private(os.fstat(file.fileno())) and _private(place.stat())):
                return None
            head, body = file.read(_HEAD), file.read()
    except OSError:
        return None
    known = head == _head(body, made_by) and digest in (None, _digest(head))
    return body if known else None


def save(
    place: Path, name: str, body: bytes, made_by: bytes | None = None, most: int | None = _MOST
) -> bytes:
    """Keep bytes as ``write`` keeps something; their digest."""
    head = _head(body, made_by)
    with suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic.replacing(place / f"{name}{_SUFFIX}") as made:
            handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "wb") as file:
                file.write(head)
                file.write(body)
        if most is not None:
            prune(place, most)
    return _digest(head)


def prune(place: Path, most: int) -> None:
    """Leave so many files of a folder, the last written."""
    with suppress(OSError):
        for old in sorted(place.glob(f"*{_SUFFIX}"), key=lambda p: -p.stat().st_mtime_ns)[most:]:
            old.unlink()


def name(kind: str, directory: Path) -> str:
    """The name of what is kept of a kind about a directory."""
    return f"{kind}-{hashlib.sha256(os.fsencode(directory.resolve())).hexdigest()[:16]}"


def _private(found: os.stat_result) -> bool:
    """Whether nobody but this user may write a file or folder."""
    if sys.platform == "win32":  # the user's own folders are closed to others there
        return True
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@lru_cache(maxsize=1)
def code() -> str:
    """The digest of this msmap: processes that have another would do their work otherwise."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in _parts(folder):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _parts(folder: Path) -> list[Path]:
    """The files that decide what the program makes: its code, and the texts it deflates with."""
    return sorted([*folder.rglob("*.py"), *folder.rglob("*.txt")])


_HEAD = 64


def _head(body: bytes, made_by: bytes | None) -> bytes:
    """64 bytes that are others if the program is, or what of it made the body, or the body."""
    maker = _program() if made_by is None else hashlib.sha256(made_by).digest()
    return maker + hashlib.blake2b(body, digest_size=32).digest()


def _digest(head: bytes) -> bytes:
    """That of the body."""
    return head[32:]


@lru_cache(maxsize=1)
def _program() -> bytes:
    import pydantic
    import yaml

    made = hashlib.sha256(
        f"{sys.version} {pydantic.VERSION} {yaml.__version__} {zlib.ZLIB_VERSION}".encode()
    )
    root = Path(__file__).parent
    for path in _parts(root):
        made.update(f"{path.relative_to(root)}\n".encode())
        made.update(path.read_bytes())
    return made.digest()
