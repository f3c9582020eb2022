"""An assistant at the other end of `msmap mcp`: the package's own client, over standard input."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

T = TypeVar("T")


def asked(
    database: Path,
    folder: Path,
    work: Callable[[Client], Awaitable[T]],
    arguments: Sequence[str] = (),
) -> T:
    """What some work with a client gives, whose server reads files below a folder."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "msmap_cli.main", "mcp", "--folder", str(folder), *arguments],
        env=os.environ | {"MSMAP_DB": str(database), "LC_ALL": "C"},
    )

    async def session() -> T:
        async with Client(stdio_client(server)) as client:
            return await work(client)

    return asyncio.run(asyncio.wait_for(session(), 60))
