"""Mistakes put into records, and the checks that notice them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from msmap.render.layout import line
from msmap_cli.opening import loading
from msmap_cli.options import Data, Jobs, Limit, Names, Report
from msmap_cli.output import emit, progress, show

if TYPE_CHECKING:
    from msmap.assemble.content import Content
    from msmap.model import Record
    from msmap.verify.executors.local import Local
    from msmap.verify.mutation.verdicts import Verdict
    from msmap.verify.plan.job import Job

AtLeast = Annotated[
    float, typer.Option(min=0, max=100, help="Exit status 1 below this percentage caught.")
]


def mutate(
    names: Names = None,
    data: Data = Path("data"),
    jobs: Jobs = None,
    limit: Limit = 60.0,
    at_least: AtLeast = 0.0,
    form: Annotated[
        Report, typer.Option("--format", "-f", help="How to print the result.")
    ] = "text",
) -> None:
    """Put mistakes into the records, one at a time, and count those that their checks catch.

    Nothing is written. Exit status: 0 unless --at-least says otherwise.
    """
    sys.exit(loading(lambda: run(data, names or [], jobs, limit, form, at_least)))


def run(
    data: Path, names: list[str], jobs: int | None, limit: float, form: str, at_least: float
) -> int:
    """Judge the mutants of the records of those names; 1 if fewer than ``at_least`` % die."""
    from msmap.assemble import content
    from msmap.verify.executors.local import Local
    from msmap.verify.mutation import report, verdicts
    from msmap.verify.plan.variants import GENERATION
    from msmap_cli import running

    found = content.read(data, generation=GENERATION)
    records = verdicts.chosen(found.base, names)
    warm = len(names) == 1 and running.may_stay_warm()
    with Local(jobs, limit, warm=warm) as executor:
        (here,) = executor.environments
        judged = judge(executor, found, records, here.name)
    if form == "json":
        emit(report.data(here.name, records, judged), form)
    else:
        show(map(line, report.lines(here.name, records, judged)))
    return 1 if report.share(judged) < at_least else 0


def judge(
    executor: Local, found: Content, records: list[Record], environment: str
) -> list[Verdict]:
    """A verdict on every mutant of some records, with progress."""
    from msmap.verify.mutation import verdicts

    written = {loaded.item.torch: loaded.item for loaded in found.files.records}

    def ask(todo: list[Job]) -> dict[tuple[str, str], str]:
        outcomes: dict[tuple[str, str], str] = {}
        for done in executor.lines(todo):
            outcomes[done.record, done.check] = done.outcome
            progress(f"{len(outcomes)}/{len(todo)} {done.record}: {done.check}: {done.outcome}")
        progress("")
        return outcomes

    return verdicts.judge(records, written, found.base, environment, ask)
