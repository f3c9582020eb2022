"""The checks, run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from msmap_cli import options
from msmap_cli.commands import mutate as mutating
from msmap_cli.commands.mutate import AtLeast
from msmap_cli.opening import base, loading
from msmap_cli.options import (
    Data,
    Everything,
    Jobs,
    Limit,
    Names,
    Report,
    RunsOn,
    Scheduler,
)


def verify(
    names: Names = None,
    data: Data = Path("data"),
    everything: Everything = False,
    jobs: Jobs = None,
    limit: Limit = 60.0,
    device: RunsOn = None,
    scheduler: Scheduler = None,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Write what came out to data/evidence.")
    ] = True,
    check: Annotated[
        str | None, typer.Option(help="Only the check of this id, with all its variants.")
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only the I-th of N parts of the records and guides."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="Write what came out as JUnit XML too.", dir_okay=False)
    ] = None,
    mutate: Annotated[
        bool | None,
        typer.Option(
            "--mutate/--no-mutate",
            help="Only the same as `msmap mutate`, --at-least goes with it; or no mutants of the "
            "one record that is named.",
        ),
    ] = None,
    at_least: AtLeast = 0.0,
    tensorflow: Annotated[
        bool,
        typer.Option("--tensorflow", help="Run what statements say of TensorFlow, nothing else."),
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Use no process that an earlier run left, and leave none."),
    ] = False,
    stop: Annotated[
        bool, typer.Option("--stop", help="End the process that an earlier run left, and stop.")
    ] = False,
    form: Annotated[
        Report,
        typer.Option("--format", "-f", help="With --mutate, and of one record: how to print it."),
    ] = "text",
) -> None:
    """Run the checks of records on both frameworks and keep what came out.

    Names or --all run everything asked for; otherwise only checks without current evidence
    run. Without data files, the checks of the installed database run, and nothing is kept.
    What came out is kept while it runs: what was stopped goes on where it was. --mutate keeps
    nothing.

    Of one record in a checkout, what lint finds stands first, and after its checks come what
    differs, the untold before the told, and the mistakes put into it. The process that imported
    both frameworks waits ten minutes for the next such run; $MSMAP_RUNTIME is where.
    """

    def work() -> int:
        from dataclasses import replace

        from msmap.verify.runs import Asked
        from msmap_cli import running, verifying

        if stop:
            return verifying.end()
        if tensorflow:
            return prove(data)
        if mutate:
            return mutating.run(data, names or [], jobs, limit, form, at_least)
        part = options.shard(shard)
        options.one_place(scheduler, jobs, device)
        everything_asked = everything or bool(names) or check is not None
        asked = Asked(data, names or [], everything_asked, part, check, keep)
        place = verifying.Place(jobs, limit, (device or "CPU").lower(), scheduler)
        one = verifying.record(asked)
        if one is None or scheduler is not None or part is not None:
            return verifying.verify(asked, place, junit)
        asked = replace(asked, names=[one])
        place = replace(place, warm=not fresh and running.may_stay_warm())
        mutants = mutate is None and check is None
        return verifying.curate(asked, place, junit, mutants, at_least, form)

    sys.exit(loading(work))


def prove(data: Path) -> int:
    """Run what statements say of TensorFlow; status 1 if any is otherwise.

    Without data files, the statements of the installed database run.
    """
    from msmap.verify import tensorflow

    if data.is_dir():
        from msmap.assemble import content
        from msmap.verify.plan.variants import GENERATION

        found = content.read(data, generation=GENERATION).claims()
    else:
        with base() as kb:
            found = tuple(kb.claims())
    release, outcomes = tensorflow.run(found)
    for outcome in outcomes:
        said = "as stated" if outcome.agrees else f"was to give {outcome.wanted}, gave"
        sys.stdout.write(f"{outcome.claim}: {said} {outcome.gave}\n")
    wrong = sum(not outcome.agrees for outcome in outcomes)
    sys.stdout.write(f"tensorflow {release}: {len(outcomes)} statements, {wrong} otherwise\n")
    return 1 if wrong else 0
