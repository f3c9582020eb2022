"""The site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")
    ] = 8001,
    config: Annotated[
        Path | None,
        typer.Option(help="A YAML file with the site's url, its workers and limits."),
    ] = None,
) -> None:
    """Serve the site: pages, the JSON API, and Datasette's tables.

    Exit status: 1 if the database or the settings can't be read, or the port is taken.
    """
    from datasette_msmap import server

    server.serve(host, port, settings=config)
