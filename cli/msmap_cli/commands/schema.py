"""JSON Schemas of what is written and answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from msmap import database as index
from msmap.messages import Message
from msmap.render.layout import line
from msmap_cli.opening import loading
from msmap_cli.output import fail, show


def schema(
    name: Annotated[
        str | None, typer.Argument(help="Which one; all are listed if left out.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(help="Make all schemas again, in this directory.", file_okay=False),
    ] = None,
) -> None:
    """Print the JSON Schema of record files or of a command's JSON output."""
    shipped = Path(index.SHIPPED).with_name("schemas")
    if write is not None:

        def work() -> list[Path]:
            from msmap import contracts

            return contracts.write(write)

        show(line(str(path)) for path in loading(work))
        return
    known = sorted(path.stem for path in shipped.glob("*.json"))
    if name is None:
        show(map(line, known))
    elif name in known:
        show([(shipped / f"{name}.json").read_text(encoding="utf-8")])
    else:
        fail(Message('schema "{}": one of {}', name, ", ".join(known)), 2)
