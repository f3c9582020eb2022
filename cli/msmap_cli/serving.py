"""What servers on standard input and output have in common: what they log stays short."""

from __future__ import annotations

import logging


class Brief(logging.Formatter):
    """A line for what went wrong, without where in the program that was."""

    def format(self, record: logging.LogRecord) -> str:
        """The message, and the error in a few words."""
        error = record.exc_info[1] if record.exc_info else None
        why = f": {type(error).__name__}: {error}" if error is not None else ""
        return " ".join(f"msmap: {record.getMessage()}{why}".split())[:500]


def quiet() -> None:
    """Log errors alone, each on a line of standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(Brief())
    logging.basicConfig(handlers=[handler], level=logging.ERROR, force=True)
