"""The verify command: choose checks, run them, show progress, report, keep the evidence."""

from __future__ import annotations

from collections import Counter
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
from msmap_cli.output import fail, progress, say

_FAILED = ("refuted", "inconclusive")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    everything: bool
    jobs: int | None
    limit: float
    keep: bool


def run(data: Path, names: list[str], wish: Wish) -> int:
    """Run what is asked for; the exit status: 1 if anything failed."""
    curating = (data / "records").is_dir()
    environment = runner.environment()
    release = environment.mindspore
    found, guides = _written(data, names, release) if curating else _installed(names, release)
    for record in found:
        for check in record.checks:
            if not check.mindspore:
                fail(f"{record.torch}: check `{check.id}` can't be ported; see `msmap lint`", 1)
    try:
        todo = plan.jobs(found, guides, None if wish.everything else environment.name)
        if not todo:
            say("everything is current")
            return 0
        lines = _outcomes(todo, wish)
    except MsmapError as error:
        fail(str(error), 1)
    _report(environment.name, lines, {(job.owner, job.check): job for job in todo})
    if wish.keep and curating:
        path = data / "evidence" / f"{environment.name}.jsonl"
        evidence.merge(path, lines, _owned(found, guides))
        typer.echo(f"written to {path}")
    return 1 if any(line.outcome in _FAILED for line in lines) else 0


def _written(data: Path, names: list[str], mindspore: str) -> tuple[list[Record], list[Guide]]:
    """The records and guides of those names in the data files; all if there are no names."""
    from msmap import content

    base = content.read(data, mindspore).base
    if not names:
        return list(base.records.values()), list(base.guides.values())
    guides = [base.guides[name] for name in names if name in base.guides]
    found = [base.records.get(base.torch_name(n) or n) for n in names if n not in base.guides]
    if None in found:
        fail(f"no record or guide of {names[found.index(None)]}", 1)
    return [record for record in found if record is not None], guides


def _installed(names: list[str], mindspore: str) -> tuple[list[Record], list[Guide]]:
    """The same from the installed database."""
    with KnowledgeBase.open(mindspore=mindspore) as kb:
        guides = kb.guides()
        if not names:
            return [kb.lookup(s.torch) for s in kb.records()], guides
        chosen = [guide for guide in guides if guide.id in names]
        known = {guide.id for guide in chosen}
        try:
            return [kb.lookup(name) for name in names if name not in known], chosen
        except NotFound as error:
            fail(str(error), 1)


def _owned(found: list[Record], guides: list[Guide]) -> dict[str, set[str]]:
    """The checks that each record or guide has now."""
    owned = {record.torch: {c.id for c in record.checks} for record in found}
    for guide in guides:
        owned[f"guide:{guide.id}"] = {c.id for s in guide.sections for c in s.checks}
    return owned


def _report(environment: str, lines: list[Line], jobs: dict[tuple[str, str], Job]) -> None:
    for line in sorted(lines, key=lambda li: (li.record, li.check)):
        if line.outcome in _FAILED:
            typer.echo(f"{line.record}: {line.check}: {line.outcome}: {line.message}")
            typer.echo("rerun it with:\n" + snippet.script(jobs[line.record, line.check]))
    counts = Counter(line.outcome for line in lines)
    said = ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items()))
    typer.echo(f"{environment}: {len(lines)} checks: {said}")


def _outcomes(todo: list[Job], wish: Wish) -> list[Line]:
    lines: list[Line] = []
    progress(f"importing both frameworks, then {len(todo)} checks")
    for line in runner.outcomes(todo, wish.jobs, wish.limit):
        lines.append(line)
        progress(f"{len(lines)}/{len(todo)} {line.record}: {line.check}: {line.outcome}")
    progress("")
    return lines
