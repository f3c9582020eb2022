"""The server for assistants."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from msmap_cli import serving
from msmap_cli.opening import base, needing
from msmap_cli.options import Lang, MindSpore, OnDevice
from msmap_cli.settings import language


def mcp(
    folder: Annotated[
        Path,
        typer.Option(help="Files are read below this folder.", file_okay=False, exists=True),
    ] = Path(),
    device: OnDevice = None,
    mindspore: MindSpore = None,
    lang: Lang = None,
) -> None:
    """Serve an assistant on standard input and output, by the Model Context Protocol.

    Tools look names up, search, port code, scan files and show evidence; resources are records and
    guides, prompts port a file. Nothing is written. The options are what questions may leave out.

    Exit status: 0 the assistant left, 1 the database can't be read, 2 wrong usage.
    """
    with needing("assistant", "serving an assistant"):
        from msmap.assistant import server
    with base(mindspore, device=device):
        pass
    serving.quiet()
    server.serve(device, mindspore, folder.absolute(), "zh" if language(lang) == "zh" else "en")
