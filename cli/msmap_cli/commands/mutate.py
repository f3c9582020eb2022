"""The verify command's --mutate: mistakes put into records, and the checks that notice them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from msmap.assemble import content
from msmap.errors import MsmapError
from msmap.model import Record
from msmap.verify.executors import local as runner
from msmap.verify.mutation import verdicts
from msmap.verify.mutation.mutants import KINDS
from msmap.verify.mutation.verdicts import STATUSES, Verdict
from msmap.verify.plan.job import Job
from msmap_cli.output import emit, fail, progress


def run(
    data: Path, names: list[str], jobs: int | None, limit: float, form: str, at_least: float
) -> int:
    """Judge the mutants of the records of those names; 1 if fewer than ``at_least`` % die."""
    found = content.read(data)
    written = {loaded.item.torch: loaded.item for loaded in found.files.records}

    def ask(todo: list[Job]) -> dict[tuple[str, str], str]:
        outcomes: dict[tuple[str, str], str] = {}
        for line in runner.outcomes(todo, jobs, limit) if todo else ():
            outcomes[line.record, line.check] = line.outcome
            progress(f"{len(outcomes)}/{len(todo)} {line.record}: {line.check}: {line.outcome}")
        progress("")
        return outcomes

    records = _records(found, names)
    try:
        environment = runner.environment().name
        judged = verdicts.judge(records, written, found.base, environment, ask)
    except MsmapError as error:
        fail(str(error), 1)
    if form == "json":
        emit(_data(environment, records, judged), form)
    else:
        _report(environment, records, judged)
    return 1 if _share(judged) < at_least else 0


def _records(found: content.Content, names: list[str]) -> list[Record]:
    base = found.base
    wanted = [base.torch_name(name) or name for name in names] or list(base.records)
    for name in wanted:
        if name not in base.records:
            fail(f"no record of {name}: there is no such file below {found.directory}", 1)
    return [base.records[name] for name in sorted(set(wanted))]


def _share(verdicts: Sequence[Verdict]) -> float:
    """Percent caught of those that could be."""
    count = Counter(v.status for v in verdicts)
    possible = count["caught"] + count["survived"]
    return 100 * count["caught"] / possible if possible else 100.0


def _counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    count = Counter(v.status for v in verdicts)
    return {status: count[status] for status in STATUSES}


def _data(environment: str, records: list[Record], verdicts: list[Verdict]) -> dict[str, Any]:
    return {
        "environment": environment,
        "percent": round(_share(verdicts), 1),
        **_counts(verdicts),
        "kinds": {k: _counts([v for v in verdicts if v.kind == k]) for k in KINDS},
        "records": {
            r.torch: _counts([v for v in verdicts if v.record == r.torch]) for r in records
        },
        "mutants": [asdict(v) for v in verdicts],
    }


def _report(environment: str, records: list[Record], verdicts: list[Verdict]) -> None:
    for record in records:
        mine = [v for v in verdicts if v.record == record.torch]
        typer.echo(f"{record.torch}: {_said(mine)}")
        for v in mine:
            if v.status in ("survived", "equivalent"):
                typer.echo(f"  {v.status}: {v.target}: {v.change}: {v.why}")
    typer.echo("")
    for kind, words in KINDS.items():
        mine = [v for v in verdicts if v.kind == kind]
        if mine:
            typer.echo(f"{words}: {_said(mine)}")
    typer.echo(f"{environment}: {_said(verdicts)}, {_share(verdicts):.1f} %")


def _said(verdicts: Sequence[Verdict]) -> str:
    """Such as ``9/10 caught, 2 equivalent``."""
    count = _counts(verdicts)
    rest = [f"{count[s]} {s}" for s in ("untestable", "equivalent") if count[s]]
    return ", ".join([f"{count['caught']}/{count['caught'] + count['survived']} caught", *rest])
