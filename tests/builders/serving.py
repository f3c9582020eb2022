"""The site asked without a network, and served for real in a process of its own."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from datasette.app import Datasette


def ask(site: Datasette, method: str, path: str, **options: Any) -> Any:
    """What the site answers to a request."""

    async def asked() -> Any:
        return await site.client.request(method, path, **options)

    return asyncio.run(asked())


def get(site: Datasette, path: str, **options: Any) -> Any:
    """What the site answers to a GET."""
    return ask(site, "GET", path, **options)


@contextmanager
def served(database: Path) -> Iterator[int]:
    """`msmap serve` on a free port, which is given; it must have logged nothing in the end."""
    server = subprocess.Popen(
        [sys.executable, "-m", "msmap_cli.main", "serve", "--port", "0"],
        env={**os.environ, "MSMAP_DB": str(database), "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        said = server.stdout.readline()
        found = re.search(r":(\d+)/$", said.strip())
        if found is None:
            raise AssertionError(f"{said}{server.communicate()[1]}")
        yield int(found[1])
    finally:
        server.terminate()
        logged = server.communicate()[1]
    if logged:
        raise AssertionError(logged)
