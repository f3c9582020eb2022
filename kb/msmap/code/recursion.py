"""Room for work that goes deeper into a source than Python's own limit allows."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

# What the deepest source needs that the parser takes, several times over. Until Python 3.10 calls
# take room on the stack of the system too.
_FRAMES = 150_000 if sys.version_info >= (3, 11) else 5_000
_ONE_AT_A_TIME = threading.Lock()


@contextlib.contextmanager
def deeper() -> Iterator[None]:
    """Calls may be nested as deeply as any source needs that Python parses."""
    with _ONE_AT_A_TIME:
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, _FRAMES))
        try:
            yield
        finally:
            sys.setrecursionlimit(limit)
