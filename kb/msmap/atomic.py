"""Files replaced whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# What says that another holds a lock: the first on POSIX, the second on Windows.
_HELD = (BlockingIOError, PermissionError)
_SUFFIX = ".msmap-new"
# What a folder is called while another takes its place.
_BEFORE = "before"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Where to make a file that takes ``path``'s place if the block succeeds.

    A block that fails or is killed leaves ``path`` as it was; what a killed one has written goes
    when ``path`` is next replaced.

    Raises:
        OSError: of ``path``, whichever file it was that could not be made or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}."
    try:
        _sweep(path.parent, prefix)
        with _workshop(path.parent, prefix) as folder:
            made = folder / "made"
            yield made
            _flush(made)
            os.replace(made, path)
    except OSError as error:
        if error.errno is None or (error.filename and prefix not in str(error.filename)):
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


@contextmanager
def replacing_folder(path: Path) -> Iterator[Path]:
    """Where to make a folder that takes ``path``'s place, with all in it, if the block succeeds.

    A block that fails or is killed leaves ``path`` as it was. A process that is killed while the
    one is put in place of the other leaves neither; the old one is put back by the next.
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    prefix = f".{path.name}."
    _put_back(path, prefix)
    _sweep(path.parent, prefix)
    with _workshop(path.parent, prefix) as folder:
        made, before = folder / "made", folder / _BEFORE
        made.mkdir()
        yield made
        if path.exists():
            os.rename(path, before)
        try:
            os.rename(made, path)
        except OSError:
            if before.exists():
                os.rename(before, path)
            raise


def _put_back(path: Path, prefix: str) -> None:
    """Put a folder back that a killed process had moved away."""
    for folder in path.parent.glob(f"{prefix}*{_SUFFIX}"):
        if not path.exists() and (folder / _BEFORE).is_dir():
            os.rename(folder / _BEFORE, path)


def write(path: Path, text: str) -> None:
    """Replace a file's content with UTF-8 text."""
    with replacing(path) as made:
        made.write_text(text, encoding="utf-8", newline="\n")


@contextmanager
def _workshop(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder, locked as long as the block runs, and gone after it."""
    handle = None
    while handle is None:
        folder = Path(tempfile.mkdtemp(_SUFFIX, prefix, parent))
        # On a file system without locks nobody will take it for one left behind.
        handle = _locked(folder, needed=False)
    try:
        yield folder
    finally:
        _clear(folder, handle)


def _sweep(parent: Path, prefix: str) -> None:
    """Remove the folders of processes that were killed."""
    for folder in parent.iterdir():
        if folder.name.startswith(prefix) and folder.name.endswith(_SUFFIX):
            handle = _locked(folder, needed=True)
            if handle is not None:
                _clear(folder, handle)


def _locked(folder: Path, *, needed: bool) -> int | None:
    """The handle that says that a folder is in use; none if another holds it, or has removed it.

    The lock goes with the process, however that ends, where a number of a process may be that of
    another container or machine. It is on a file of its own: on macOS and network file systems
    SQLite could not lock a file that is locked as a whole.
    """
    lock = folder / "lock"
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT)
    except (FileNotFoundError, PermissionError):  # gone already, or another user's
        return None
    try:
        _lock(handle)
        held = lock.exists()
    except _HELD:
        held = False
    except OSError:
        held = not needed
    if not held:
        os.close(handle)
        return None
    return handle


def _clear(folder: Path, handle: int) -> None:
    """Remove a folder and give its lock back."""
    if sys.platform == "win32":  # removes no file that is open
        os.close(handle)
        shutil.rmtree(folder, ignore_errors=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _flush(made: Path) -> None:
    """See that what is in a file has reached the disk before the file takes another's place."""
    handle = os.open(made, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
