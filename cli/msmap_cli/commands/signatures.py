"""The names of an installed framework."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from msmap.errors import FrameworkMissing
from msmap.messages import Message
from msmap.render.layout import line
from msmap_cli.output import fail, show


def signatures(
    framework: Annotated[str, typer.Argument(help="torch or mindspore, as installed.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Directory for the file.", file_okay=False)
    ] = Path("data/signatures"),
) -> None:
    """Read the installed framework's public names and write them to one file."""
    from msmap.signatures.readers import collect

    if framework not in ("torch", "mindspore"):
        fail(Message('"{}": one of torch, mindspore', framework), 2)
    try:
        found = collect.run(framework, output)
    except FrameworkMissing as error:
        fail(error.message, 1)
    counts = (
        f"{found.names} names, {found.callables} callables, "
        f"{len(found.without_signature)} of them without a signature"
    )
    show([line(f"{found.path}: {counts}")])
