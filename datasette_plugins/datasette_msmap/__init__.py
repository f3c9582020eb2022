"""The Datasette plugin of msmap: the site, its API, and what keeps both from being used up."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

# First of Datasette: its own plugins are registered as they are once this is imported.
import datasette.plugins  # isort: skip
import datasette.handle_exception
from datasette import hookimpl

from datasette_msmap import api, embed, pages
from datasette_msmap.web import kept, responses, served

# Longest string or blob, in bytes: zeroblob() and randomblob() ignore the time limit.
LARGEST_VALUE = 4_000_000

# With rich installed (typer brings it) Datasette prints a traceback with all local variables for
# every 404, five a second, and dotted paths become a 500.
datasette.handle_exception.rich = None


@hookimpl  # type: ignore[untyped-decorator]
def startup(datasette: Any) -> None:
    """Find the database to serve, or say what is wrong with what there is."""
    served.serving(datasette)


@hookimpl  # type: ignore[untyped-decorator]
def register_routes(datasette: Any) -> list[tuple[str, Any]]:
    """The pages last: their last route takes every address that is not Datasette's."""
    return [*api.ROUTES, *embed.ROUTES, *pages.ROUTES, pages.anything_else(datasette)]


@hookimpl  # type: ignore[untyped-decorator]
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    """Security headers on every answer, Datasette's own included; kept answers come at once."""
    return lambda app: kept.keeping(responses.secured(app))


@hookimpl  # type: ignore[untyped-decorator]
def skip_csrf(scope: Any) -> bool:
    """The API changes nothing and knows nobody, so a request to it can't be forged."""
    return bool(scope["path"].endswith("/api/v1/port"))


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Limit what one value may take of the server's memory."""
    if hasattr(conn, "setlimit"):  # Python 3.11
        conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
