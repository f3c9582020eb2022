"""Room for work that goes deeper into a source than Python's own limit allows."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

# What the deepest source needs that the parser takes, several times over. Until Python 3.10 calls
# take room on the stack of the system too.
_FRAMES = 150_000 if sys.version_info >= (3, 11) else 5_000
# A source of ordinary depth gets less: what goes on without end must raise, not end the process.
_AT_LEAST, _A_LEVEL = 5_000, 60
_ONE_AT_A_TIME = threading.Lock()


@contextlib.contextmanager
def deeper(levels: int) -> Iterator[None]:
    """Calls may be nested as deeply as a source needs of so many levels of nodes."""
    with _ONE_AT_A_TIME:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, min(_FRAMES, _AT_LEAST + levels * _A_LEVEL)))
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)
