"""The verify command: choose checks, run them, show progress, report, keep the evidence."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import typer

from msmap import atomic
from msmap.code.resolve import Facts
from msmap.errors import MsmapError, NotFound
from msmap.evidence import files as evidence
from msmap.evidence.files import Line
from msmap.model import Guide, Record
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import junit
from msmap.verify import script as snippet
from msmap.verify.executors import local as runner
from msmap.verify.plan import choose as plan
from msmap.verify.plan.job import Job
from msmap_cli.output import fail, progress, say

_FAILED = ("refuted", "inconclusive")
# What a killed run loses at most; writing takes some 20 ms.
_EVERY_LINES = 50
_EVERY_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    everything: bool
    jobs: int | None
    limit: float
    keep: bool
    shard: plan.Shard | None
    junit: Path | None
    check: str | None


class Stopped(Exception):
    """SIGTERM came."""


def run(data: Path, names: list[str], wish: Wish) -> int:
    """Run what is asked for; the exit status: 1 if anything failed."""
    curating = (data / "records").is_dir()
    environment = runner.environment()
    choose = _written if curating else _installed
    facts, found, guides = choose(data, names, environment.mindspore)
    for record in found:
        for check in record.checks:
            if not check.mindspore:
                fail(f"{record.torch}: check `{check.id}` can't be ported; see `msmap lint`", 1)
    stale = None if wish.everything else environment.name
    todo = plan.jobs(found, guides, facts, stale, wish.shard)
    if wish.check is not None:
        todo = [job for job in todo if job.check == wish.check]
        if not todo:
            fail(f"no check `{wish.check}` in {', '.join(names) or 'any record'}", 1)
    notebook = None
    if wish.keep and curating:
        path = data / "evidence" / f"{environment.name}.jsonl"
        notebook = Notebook(path, _owned(found, guides))
    start = time.monotonic()
    lines = _outcomes(todo, wish, notebook) if todo else []
    seconds = time.monotonic() - start
    if wish.junit is not None:
        atomic.write(wish.junit, junit.suite(environment.name, lines, seconds))
    if not todo:
        say("everything is current")
        return 0
    _report(environment.name, lines, {(job.owner, job.check): job for job in todo})
    runs = len(lines) + sum(len(line.variants) for line in lines)
    typer.echo(_pace(len(lines), runs, seconds, wish.jobs))
    if notebook is not None:
        typer.echo(f"written to {notebook.path}")
    return 1 if any(line.outcome in _FAILED for line in lines) else 0


class Notebook:
    """The evidence file of an environment, brought up to date while checks run."""

    def __init__(self, path: Path, owned: dict[str, set[str]]) -> None:
        self.path, self.owned = path, owned
        self.lines: list[Line] = []
        self.kept = 0
        self.last = time.monotonic()

    def add(self, line: Line) -> None:
        """Take an outcome in; write if there are many, or the last time is long ago."""
        self.lines.append(line)
        many = len(self.lines) - self.kept >= _EVERY_LINES
        if many or time.monotonic() - self.last >= _EVERY_SECONDS:
            self.write()

    def write(self) -> None:
        """Bring the file up to date, whole or not at all."""
        evidence.merge(self.path, self.lines, self.owned)
        self.kept = len(self.lines)
        self.last = time.monotonic()


def _written(
    data: Path, names: list[str], mindspore: str
) -> tuple[Facts, list[Record], list[Guide]]:
    """The records and guides of those names in the data files; all if there are no names."""
    from msmap.assemble import content

    base = content.read(data, mindspore).base
    if not names:
        return base, list(base.records.values()), list(base.guides.values())
    guides = [base.guides[name] for name in names if name in base.guides]
    found = [base.records.get(base.torch_name(n) or n) for n in names if n not in base.guides]
    if None in found:
        fail(f"no record or guide of {names[found.index(None)]}", 1)
    return base, [record for record in found if record is not None], guides


def _installed(
    _: Path, names: list[str], mindspore: str
) -> tuple[Facts, list[Record], list[Guide]]:
    """The same from the installed database, which stays open: it ports what is run."""
    kb = KnowledgeBase.open(mindspore=mindspore)
    guides = kb.guides()
    if not names:
        return kb, [kb.lookup(s.torch) for s in kb.records()], guides
    chosen = [guide for guide in guides if guide.id in names]
    known = {guide.id for guide in chosen}
    try:
        return kb, [kb.lookup(name) for name in names if name not in known], chosen
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
    typer.echo(f"{environment}: {len(lines)} checks: {_said(counts)}")
    found = Counter(f.outcome for line in lines for f in line.variants.values())
    typer.echo(f"{found.total()} variants of them: {_said(found)}")


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())) or "none"


def _outcomes(todo: list[Job], wish: Wish, notebook: Notebook | None) -> list[Line]:
    """Run jobs; what came out until a signal stopped them is kept."""
    lines: list[Line] = []
    progress(f"importing both frameworks, then {len(todo)} checks")
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        with closing(runner.outcomes(todo, wish.jobs, wish.limit)) as outcomes:
            for line in outcomes:
                lines.append(line)
                if notebook is not None:
                    notebook.add(line)
                progress(f"{len(lines)}/{len(todo)} {line.record}: {line.check}: {line.outcome}")
    except (KeyboardInterrupt, Stopped) as stopped:
        # A second signal must not spoil the writing of what the first one stopped.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        status = 130 if isinstance(stopped, KeyboardInterrupt) else 143
        progress("")
        fail(f"stopped after {len(lines):,} of {len(todo):,} checks; {_keep(notebook)}", status)
    except MsmapError:
        progress("")
        _keep(notebook)
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    progress("")
    _keep(notebook)
    return lines


def _stop(*_: object) -> None:
    raise Stopped


def _keep(notebook: Notebook | None) -> str:
    """Write what came out, if it is to be kept; what was done about it."""
    if notebook is None:
        return "nothing is kept"
    if notebook.lines:
        notebook.write()
    return f"{len(notebook.lines):,} outcomes are in {notebook.path}"


def _pace(count: int, runs: int, seconds: float, jobs: int | None) -> str:
    """Such as ``1,026 checks, 5,700 runs in 184 s, 31 runs a second on 2 processes``."""
    width = jobs or os.cpu_count() or 1
    noun, processes = "check" if count == 1 else "checks", "process" if width == 1 else "processes"
    rate = f"{runs / seconds:.2g}" if runs < 10 * seconds else f"{runs / seconds:,.0f}"
    took = f"{runs:,} runs in {seconds:.0f} s"
    return f"{count:,} {noun}, {took}, {rate} runs a second on {width} {processes}"
