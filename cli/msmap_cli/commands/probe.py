"""PyTorch names tried on MindSpore."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from msmap_cli import options
from msmap_cli.opening import loading
from msmap_cli.options import Data, Everything, Jobs, RunsOn, Scheduler


def probe(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="PyTorch names in any spelling; all if none is given."),
    ] = None,
    data: Data = Path("data"),
    everything: Everything = False,
    samples: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N",
            help="Samples of each dtype; of the first one six times as many. 3 if left out.",
        ),
    ] = None,
    jobs: Jobs = None,
    limit: Annotated[float, typer.Option(min=0.1, help="Seconds that a sample may take.")] = 30.0,
    device: RunsOn = None,
    scheduler: Scheduler = None,
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
        from msmap_cli import probing

        part = options.shard(shard)
        options.one_place(scheduler, jobs, device)
        on = (device or "CPU").lower()
        wish = probing.Wish(everything, samples, jobs, limit, on, keep, part, scheduler)
        return probing.run(data, names or [], wish)

    sys.exit(loading(work))
