"""The Datasette plugin of msmap: keeps a public site from being used up or slowed down."""

from __future__ import annotations

import sqlite3

import datasette.handle_exception
from datasette import hookimpl

# Longest string or blob, in bytes: zeroblob() and randomblob() ignore the time limit.
LARGEST_VALUE = 4_000_000

# With rich installed (typer brings it) Datasette prints a traceback with all local variables for
# every 404, five a second, and dotted paths become a 500.
datasette.handle_exception.rich = None


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Limit what one value may take of the server's memory."""
    if hasattr(conn, "setlimit"):  # Python 3.11
        conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
