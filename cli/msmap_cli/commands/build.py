"""The database, made of the data files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from msmap import database as index
from msmap.render.layout import line
from msmap_cli.opening import loading
from msmap_cli.options import Cached, Data
from msmap_cli.output import say, show


def build(
    data: Data = Path("data"),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to; the package's own by default.")
    ] = None,
    cached: Cached = True,
) -> None:
    """Build the database from the data files, whole or not at all."""

    def work() -> Any:
        from msmap import cache
        from msmap.store import build as store

        return store.build(data, Path(index.path(output)), cache.folder() if cached else None)

    built = loading(work)
    for problem in built.problems:
        say(problem.text)
    counts = (
        f"{built.records} records, {built.guides} guides, {built.claims} statements, "
        f"{built.checks} checks, {built.apis} names"
    )
    if built.probes:
        counts += f", {built.probes} probes"
    show([line(f"{built.path}: {counts}")])
