"""The site served: Datasette with the settings that a public server wants."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml
from datasette.app import Datasette, DatasetteClient
from datasette.database import Database
from datasette.plugins import pm

import datasette_msmap
from datasette_msmap.web.served import BadDatabase, serving
from msmap import database
from msmap.errors import DatabaseError, MsmapError

HERE = Path(__file__).parent
DATABASE = "msmap"
SETTINGS: dict[str, Any] = {
    "default_allow_sql": False,
    "allow_csv_stream": False,
    "suggest_facets": False,
    "default_cache_ttl": 300,
    "facet_time_limit_ms": 200,
    "sql_time_limit_ms": 500,
    "max_returned_rows": 1000,
}


def _register() -> None:
    """Have Datasette know the plugin.

    Where the package is imported before Datasette, that registered it while it was still empty;
    where it is not installed, nobody did.
    """
    if not pm.get_hookcallers(datasette_msmap):
        if pm.has_plugin("msmap"):
            pm.unregister(name="msmap")
        pm.register(datasette_msmap, name="msmap")


def metadata() -> dict[str, Any]:
    """The site's titles, facets and queries: metadata.yml of the package, or of the checkout."""
    places = (HERE / "metadata.yml", HERE.parent.parent / "metadata.yml")
    path = next(path for path in places if path.is_file())
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def site(path: os.PathLike[str] | str | None = None) -> Datasette:
    """The site of one database, the shipped one if none is given.

    Raises:
        DatabaseError: it is missing, damaged, or of another schema version.
    """
    place = database.path(path)
    database.connect(place).close()
    _register()
    made = Datasette([], metadata=metadata(), settings=SETTINGS)
    # Datasette would call the database as the file is called, and without files adds one in memory.
    made.remove_database("_memory")
    made.add_database(Database(made, path=place, is_mutable=False), name=DATABASE)
    # The first client took its routes before the database had its name.
    made.client = DatasetteClient(made)
    try:
        serving(made)
    except BadDatabase as error:
        raise DatabaseError(error.message.removeprefix("msmap: ")) from None
    return made


def serve(host: str, port: int, path: os.PathLike[str] | str | None = None) -> None:
    """Serve the site until the process is interrupted.

    Raises:
        MsmapError: the database can't be read, or the port is taken.
    """
    import uvicorn

    made = site(path)
    listening = _listen(host, port)
    shown = f"[{host}]" if ":" in host else host
    print(
        f"msmap: serving {database.path(path)} at http://{shown}:{listening.getsockname()[1]}/",
        flush=True,
    )
    config = uvicorn.Config(made.app(), log_level="warning", lifespan="on", access_log=False)
    with suppress(KeyboardInterrupt):
        asyncio.run(uvicorn.Server(config).serve([listening]))


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; opened here, so that a taken port is said before anything starts.

    It names its protocol: asyncio turns Nagle's algorithm off for TCP sockets alone, and without
    that an answer waits 40 ms for an acknowledgement.
    """
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(address)
            listening.listen(2048)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        raise MsmapError(
            f"can't listen on {host}:{port}: {error.strerror}; choose another with --host or --port"
        ) from None
    return listening
