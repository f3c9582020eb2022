"""Files replaced whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside ``path`` that takes its place if the block succeeds.

    A block that fails or is killed leaves ``path`` as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    try:
        yield Path(name)
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, 0o666 & ~umask)
        _flush(name)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _flush(name: str) -> None:
    """See that what is in a file has reached the disk before the file takes another's place."""
    handle = os.open(name, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write(path: Path, text: str) -> None:
    """Replace a file's content with UTF-8 text."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")
