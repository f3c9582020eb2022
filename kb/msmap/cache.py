"""What an earlier run worked out, in a file of the user's: only ever quicker, never needed.

Whatever is wrong with such a file, it is as if there were none.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

from msmap import atomic

# As many files are left, the last written: one a data directory and command.
_MOST = 8
_SUFFIX = ".pickle"


def folder() -> Path | None:
    """Where the files are: ``$MSMAP_CACHE``, none if that is empty; else the user's own place."""
    wanted = os.environ.get("MSMAP_CACHE")
    if wanted is not None:
        return Path(wanted) if wanted else None
    try:
        from platformdirs import user_cache_path
    except ModuleNotFoundError:
        return None
    return user_cache_path("msmap", appauthor=False)


def read(place: Path, name: str, made_by: bytes | None = None) -> Any:
    """What ``write`` was given under a name by this very program; None if there is no such thing.

    ``made_by`` is a digest of what made it, where that is less than the program.

    A pickle runs what its writer wants. It is read from a file of the user's own alone that nobody
    else may write, in a folder of that kind: who can put one there runs as the user already.
    """
    try:
        with (place / f"{name}{_SUFFIX}").open("rb") as file:
            if not (_private(os.fstat(file.fileno())) and _private(place.stat())):
                return None
            head, body = file.read(_HEAD), file.read()
        if head != _head(body, made_by):
            return None
        return pickle.loads(body)
    except Exception:  # a damaged pickle may raise anything
        return None


def write(
    place: Path, name: str, content: object, made_by: bytes | None = None, most: int | None = _MOST
) -> None:
    """Keep something under a name, in place of what was there; nothing if it can't be written.

    ``most`` files are left, the last written; None: all are.
    """
    body = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    with suppress(OSError):
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        with atomic.replacing(place / f"{name}{_SUFFIX}") as made:
            handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "wb") as file:
                file.write(_head(body, made_by))
                file.write(body)
        if most is not None:
            prune(place, most)


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


_HEAD = 64


def _head(body: bytes, made_by: bytes | None) -> bytes:
    """64 bytes that are others if the program is, or what of it made the body, or the body."""
    maker = _program() if made_by is None else hashlib.sha256(made_by).digest()
    return maker + hashlib.sha256(body).digest()


def _program() -> bytes:
    import pydantic
    import yaml

    made = hashlib.sha256(
        f"{sys.version} {pydantic.VERSION} {yaml.__version__} {zlib.ZLIB_VERSION}".encode()
    )
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        made.update(f"{path.relative_to(root)}\n".encode())
        made.update(path.read_bytes())
    return made.digest()
