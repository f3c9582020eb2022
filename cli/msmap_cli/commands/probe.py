"""PyTorch names tried on MindSpore."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from msmap_cli.opening import loading
from msmap_cli.options import Data, Device, Jobs
from msmap_cli.output import fail


def probe(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="PyTorch names in any spelling; all if none is given."),
    ] = None,
    data: Data = Path("data"),
    everything: Annotated[
        bool, typer.Option("--all", help="Run what is current too, not only what is stale.")
    ] = False,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N",
            help="Samples of each dtype; of the first one six times as many. 3 if left out.",
        ),
    ] = None,
    jobs: Jobs = None,
    limit: Annotated[float, typer.Option(min=0.1, help="Seconds that a sample may take.")] = 30.0,
    device: Annotated[
        Device | None,
        typer.Option(case_sensitive=False, help="What MindSpore runs on here; CPU if left out."),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Run on the workers of this Dask scheduler, such as tcp://head:8786.",
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Write what came out to data/probes.")
    ] = True,
    shard: Annotated[
        str | None, typer.Option(metavar="I/N", help="Only the I-th of N parts of the names.")
    ] = None,
) -> None:  # fmt: skip
    """Find what MindSpore has for PyTorch names by running candidates on samples.

    Of names that are given, everything runs; otherwise only what has changed since it was last
    found. What came out is kept while it runs: what was stopped goes on where it was.
    """

    def work() -> int:
        from msmap.verify.plan.choose import Shard
        from msmap_cli import probing

        try:
            part = Shard.parse(shard) if shard is not None else None
        except ValueError as error:
            fail(str(error), 2)
        if scheduler is not None and (jobs is not None or device is not None):
            fail("--scheduler: workers have threads and a device of their own", 2)
        on = (device or "CPU").lower()
        wish = probing.Wish(everything, samples, jobs, limit, on, keep, part, scheduler)
        return probing.run(data, names or [], wish)

    sys.exit(loading(work))
