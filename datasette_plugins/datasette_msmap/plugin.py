"""What Datasette calls: its application is put behind the site, which answers what is its own."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from typing import Any

import click
import datasette.handle_exception
from datasette import Response, hookimpl
from datasette.utils import StartupError
from datasette.utils.asgi import Base400
from datasette.views.base import DatasetteError

from datasette_msmap import stock
from datasette_msmap.routes import ROUTES, made
from datasette_msmap.web import config, served
from datasette_msmap.web.site import Site
from msmap.errors import MsmapError

# Longest string or blob, in bytes: zeroblob() and randomblob() ignore the time limit.
LARGEST_VALUE = 4_000_000

# With rich installed (typer brings it) Datasette prints a traceback with all local variables for
# every 404, five a second, and dotted paths become a 500.
datasette.handle_exception.rich = None


class BadDatabase(StartupError, click.ClickException):  # type: ignore[misc]
    """Nothing here can be served; `datasette` prints the message alone, without a traceback."""

    def __init__(self, message: str) -> None:
        click.ClickException.__init__(self, message)


def _site(datasette: Any, app: Any) -> Site:
    told = datasette.plugin_config("msmap")
    root = datasette.setting("base_url")
    found = config.read(told, "plugins: msmap", root)
    return Site(served.serving(datasette), found, ROUTES, made, stock.Behind(app, found.limits))


@hookimpl  # type: ignore[untyped-decorator]
def startup(datasette: Any) -> None:
    """Find the database to serve, or say what is wrong with what there is."""
    try:
        config.read(datasette.plugin_config("msmap"), "plugins: msmap")
        served.serving(datasette)
    except MsmapError as error:
        raise BadDatabase(f"msmap: {error}") from None


@hookimpl  # type: ignore[untyped-decorator]
def asgi_wrapper(datasette: Any) -> Callable[[Any], Any]:
    """The site answers; what is Datasette's own comes from the application inside."""

    def wrap(app: Any) -> Any:
        # An application is made before its databases are known.
        site: Site | None = None

        async def wrapped(scope: Any, receive: Any, send: Any) -> None:
            nonlocal site
            if site is None:
                if scope["type"] != "http":
                    await app(scope, receive, send)
                    return
                site = _site(datasette, app)
            await site(scope, receive, send)

        return wrapped

    return wrap


@hookimpl  # type: ignore[untyped-decorator]
def handle_exception(request: Any, exception: Exception) -> Response | None:
    """Say nothing of the server where Datasette would show what went wrong in it."""
    if isinstance(exception, DatasetteError) and exception.status == 500:
        # It says so of what was asked, such as to sort by a column that there is not.
        exception.status = 400
    if isinstance(exception, Base400 | DatasetteError):
        return None
    if isinstance(exception, ValueError | LookupError):
        # An argument that is no JSON, or lacks a key: it is taken apart without a look.
        return Response.text("the address can't be read\n", status=400)
    logging.getLogger("msmap").error("no answer to %s", request.path[:200], exc_info=exception)
    return Response.text("this could not be answered; the server's log says why\n", status=500)


@hookimpl  # type: ignore[untyped-decorator]
def prepare_connection(conn: sqlite3.Connection) -> None:
    """Limit what one value may take of the server's memory."""
    if hasattr(conn, "setlimit"):  # Python 3.11
        conn.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
