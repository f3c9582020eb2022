"""What a server writes down: each thing once, however often a stranger makes it happen."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import TextIO, cast

_QUIET = 60.0
_MOST = 500


class Once(logging.Filter):
    """Lets a message through, and not again for a minute; then with how often it was held back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is written down."""
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        key = str(record.msg)[:200], kind
        now = self._clock()
        since, held = self._seen.get(key, (0.0, -1))
        if held >= 0 and now - since < _QUIET:
            self._seen[key] = since, held + 1
            return False
        if len(self._seen) >= _MOST:
            self._seen.clear()
        self._seen[key] = now, 0
        if held > 0:
            record.msg = f"{record.msg} (and {held} times more since)"
        return True


class Written:
    """A standard error for what others print there: it is written down like all else."""

    def write(self, text: str) -> int:
        """Take what is printed; of what comes in pieces the first is told."""
        if text.strip():
            logging.getLogger("msmap").warning("printed: %s", text.strip()[:500])
        return len(text)

    def flush(self) -> None:
        """Hold nothing back."""


def begin(printed: bool = False) -> None:
    """Write to the standard error, each thing once; with what is ``printed`` there, if asked to."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("msmap: %(message)s"))
    handler.addFilter(Once())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    if printed:
        sys.stderr = cast(TextIO, Written())
