"""What is rewritten: a file, a few lines, or the source of a check."""

from __future__ import annotations

from enum import Flag, auto


class Mode(Flag):
    """What is rewritten."""

    # A file, or a source that imports what it uses.
    FILE = auto()
    # A line or a few on the command line, of which names say what they mean.
    SNIPPET = auto()
    # PyTorch's side of a check: every claim of its record has to be seen as it is.
    CHECK = auto()


EVERYWHERE = Mode.FILE | Mode.SNIPPET | Mode.CHECK
# What readers write: whatever isn't a check.
SOURCES = Mode.FILE | Mode.SNIPPET
