"""The site served: by processes behind one port, with the settings that a public server wants."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from datasette_msmap import stock, workers
from datasette_msmap.routes import ROUTES, made, prepare
from datasette_msmap.web import config, served
from datasette_msmap.web.config import Config
from datasette_msmap.web.served import Served
from datasette_msmap.web.site import Site
from msmap import database
from msmap.errors import MsmapError

if TYPE_CHECKING:
    from datasette.app import Datasette

HERE = Path(__file__).parent
DATABASE = "msmap"
SETTINGS: dict[str, Any] = {
    "default_allow_sql": False,
    "allow_csv_stream": False,
    "allow_download": False,
    "suggest_facets": False,
    "default_cache_ttl": 300,
    "facet_time_limit_ms": 200,
    "sql_time_limit_ms": 500,
    "max_returned_rows": 1000,
}


def metadata() -> dict[str, Any]:
    """The site's titles, facets and queries: metadata.yml of the package, or of the checkout."""
    places = (HERE / "metadata.yml", HERE.parent.parent / "metadata.yml")
    path = next(path for path in places if path.is_file())
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def register() -> None:
    """Have Datasette know the hooks.

    Where the package was imported before Datasette, that has found none in it; where it is not
    installed, nobody has looked.
    """
    from datasette.plugins import pm

    from datasette_msmap import plugin

    found = pm.get_plugin("msmap")
    if found is None or not pm.get_hookcallers(found):
        if found is not None:
            pm.unregister(name="msmap")
        pm.register(plugin, name="msmap")


def datasette(path: str, root: str = "", told: Mapping[str, Any] | None = None) -> Datasette:
    """A Datasette of one database, behind the site; ``told`` is what the plugin is told."""
    from datasette.app import Datasette, DatasetteClient
    from datasette.database import Database

    register()
    whole = metadata()
    if told:
        own = whole.get("plugins", {}).get("msmap") or {}
        whole |= {"plugins": {"msmap": {**own, **told}}}
    made = Datasette([], metadata=whole, settings={"base_url": f"{root}/", **SETTINGS})
    # Datasette would call the database as the file is called, and without files adds one in memory.
    made.remove_database("_memory")
    made.add_database(Database(made, path=path, is_mutable=False), name=DATABASE)
    made.client = DatasetteClient(made)
    return made


def site(
    path: os.PathLike[str] | str | None = None, told: Mapping[str, Any] | None = None
) -> Datasette:
    """The site of one database, the shipped one if none is given, to be asked without a network.

    Raises:
        DatabaseError: it is missing, damaged, or of another schema version.
    """
    found = Served(DATABASE, database.path(path))
    made = datasette(found.path, told=told)
    served.serve(made, found)
    return made


@cache
def _running(found: Served, root: str) -> tuple[Any, asyncio.AbstractEventLoop]:
    made = datasette(found.path, root)
    served.serve(made, found)
    return made.app(), asyncio.new_event_loop()


def table(found: Served, root: str, scope: dict[str, Any]) -> tuple[int, Any, bytes]:
    """What Datasette answers to a request: status, headers and body."""
    return stock.whole(*_running(found, root), scope)


def application(found: Served, told: Config) -> Site:
    """The site as `msmap serve` has it: Datasette's pages come from a process of their own."""
    return Site(found, told, ROUTES, made, stock.Beside(table, found, told.root, told.limits))


def serve(
    host: str, port: int, path: os.PathLike[str] | str | None = None, settings: Path | None = None
) -> None:
    """Serve the site until the process is interrupted; a hangup has it read all anew.

    Raises:
        MsmapError: the database or the settings can't be read, or the port is taken.
    """
    place = database.path(path)

    def load() -> tuple[Site, Config]:
        told = _settings(settings)
        found = Served(DATABASE, place)
        prepare(found)
        return application(found, told), told

    with workers.listening(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        at = f"http://{shown}:{listening.getsockname()[1]}/"
        workers.run(
            listening, load(), load, lambda: print(f"msmap: serving {place} at {at}", flush=True)
        )


def _settings(path: Path | None) -> Config:
    """The settings of a file.

    Raises:
        MsmapError: it can't be read.
    """
    own = metadata().get("plugins", {}).get("msmap") or {}
    if path is None:
        return config.read(own, "metadata.yml: plugins: msmap")
    try:
        told = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        said = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise MsmapError("{}: {}", path, said) from None
    if told is not None and not isinstance(told, dict):
        raise MsmapError("{}: a mapping with url, workers or limits is meant", path)
    told = {**own, **(told or {})}
    return config.read(told, str(path), str(told.pop("root", "")))
