"""The site as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from msmap.messages import Message
from msmap.render.layout import line
from msmap_cli.options import OnDevice
from msmap_cli.output import progress, show


def export(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="A new folder, an empty one, or a former export.")
    ],
    url: Annotated[
        str, typer.Option(help="Where the files are going to be, for sitemap and link previews.")
    ] = "",
    device: OnDevice = None,
    data: Annotated[
        bool, typer.Option("--data/--no-data", help="Also the data as files, and the database.")
    ] = True,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Pages at a time; one a core.")
    ] = None,
) -> None:
    """Write the whole site as files: both languages, search included, for any web server.

    All links are relative, so that it may stand below any path, or be read from a disk. What only a
    server can do, such as rewriting code, is said on the pages. The folder is replaced whole or not
    at all.

    Exit status: 1 if the folder has something else, or the database can't be read.
    """
    from datasette_msmap import export as exporting

    made = exporting.export(
        folder, url=url, device=device or "", data=data, jobs=jobs,
        told=lambda number: progress(Message("{} pages", number)),
    )  # fmt: skip
    progress("")
    sizes = ", ".join(f"{kind} {size / 1e6:.1f}" for kind, size in sorted(made.sizes.items()))
    show([line(f"{folder}: {made.files:,} files, {made.size / 1e6:.1f} MB ({sizes})")])
