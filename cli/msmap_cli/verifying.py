"""The verify command: choose checks, run them, show progress, report, keep the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import typer

from msmap import evidence
from msmap.evidence import Line
from msmap.index import MsmapError
from msmap.model import Guide, Record
from msmap.query import KnowledgeBase, NotFound
from msmap.verify import plan, snippet
from msmap.verify import run as runner
from msmap.verify.job import Job
from msmap_cli.output import fail

_FAILED = ("refuted", "inconclusive")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    everything: bool
    jobs: int | None
    limit: float
    keep: bool


def records(data: Path, names: list[str]) -> tuple[list[Record], list[Guide]]:
    """The records (and guides) to verify, from the data files or the installed database."""
    if (data / "records").is_dir():
        from msmap import store

        base = store.read(data)
        if not names:
            return list(base.records.values()), list(base.guides.values())
        return [_one(base.records.get(base.torch_name(n) or ""), n) for n in names], []
    with KnowledgeBase.open() as kb:
        try:
            wanted = names or [s.torch for s in kb.records()]
            return [kb.lookup(n) for n in wanted], [] if names else kb.guides()
        except NotFound as error:
            fail(str(error), 1)


def _one(found: Record | None, name: str) -> Record:
    if found is None:
        fail(f"no record of {name}", 1)
    return found


def run(
    found: list[Record],
    guides: list[Guide],
    data: Path | None,
    wish: Wish,
    progress: Callable[[str], None],
) -> int:
    """Run what is asked for; the exit status: 1 if anything failed."""
    for record in found:
        for check in record.checks:
            if not check.mindspore:
                fail(f"{record.torch}: check `{check.id}` can't be ported; see `msmap lint`", 1)
    try:
        environment = runner.environment()
        todo = plan.jobs(found, guides, None if wish.everything else environment.name)
        if not todo:
            typer.echo("everything is current", err=True)
            return 0
        lines = _outcomes(todo, wish, progress)
    except MsmapError as error:
        fail(str(error), 1)
    by_key = {(job.owner, job.check): job for job in todo}
    for line in sorted(lines, key=lambda li: (li.record, li.check)):
        if line.outcome in _FAILED:
            typer.echo(f"{line.record}: {line.check}: {line.outcome}: {line.message}")
            typer.echo("rerun it with:\n" + snippet.script(by_key[line.record, line.check]))
    counts: dict[str, int] = {}
    for line in lines:
        counts[line.outcome] = counts.get(line.outcome, 0) + 1
    said = ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items()))
    typer.echo(f"{environment.name}: {len(lines)} checks: {said}")
    if wish.keep and data is not None:
        _keep(data, environment.name, lines, {(r.torch, c.id) for r in found for c in r.checks})
    return 1 if any(line.outcome in _FAILED for line in lines) else 0


def _outcomes(todo: list[Job], wish: Wish, progress: Callable[[str], None]) -> list[Line]:
    lines: list[Line] = []
    progress(f"importing both frameworks, then {len(todo)} checks")
    for line in runner.outcomes(todo, wish.jobs, wish.limit):
        lines.append(line)
        progress(f"{len(lines)}/{len(todo)} {line.record}: {line.check}: {line.outcome}")
    progress("")
    return lines


def _keep(data: Path, name: str, lines: list[Line], known: set[tuple[str, str]]) -> None:
    """Merge new outcomes into the evidence file; checks that a record lost are dropped."""
    path = data / "evidence" / f"{name}.jsonl"
    kept = evidence.read(path) if path.exists() else {}
    mine = {record for record, _ in known}
    kept = {k: v for k, v in kept.items() if k[0] not in mine or k in known}
    kept |= {(line.record, line.check): line for line in lines}
    evidence.write(path, kept.values())
    typer.echo(f"written to {path}")
