"""The verify command: choose checks, run them, show progress, report, keep the evidence."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

import typer

from msmap import atomic
from msmap.errors import MsmapError
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.render import junit
from msmap.verify import ledger, script
from msmap.verify.executors.executor import Executor
from msmap.verify.ledger import Ledger
from msmap.verify.plan import choose
from msmap.verify.plan.choose import Shard
from msmap.verify.plan.job import Job
from msmap.vocabulary import OUTCOMES
from msmap_cli import running
from msmap_cli.output import fail, progress, say
from msmap_cli.running import Stopped


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    everything: bool
    jobs: int | None
    limit: float
    device: str
    keep: bool
    shard: Shard | None
    junit: Path | None
    check: str | None
    scheduler: str | None


@dataclass(frozen=True, slots=True)
class Run:
    """The jobs of one environment, and what comes out of them."""

    jobs: dict[tuple[str, str], Job]
    ledger: Ledger

    def ran(self) -> int:
        """How many checks and variants ran; what is another over again did not."""
        done = ((line, self.jobs[line.record, line.check]) for line in self.ledger.lines)
        return sum(1 + len(line.variants.keys() - job.twins.keys()) for line, job in done)


def run(data: Path, names: list[str], wish: Wish) -> int:
    """Run what is asked for; the exit status: 1 if anything failed."""
    with running.executor(wish.jobs, wish.limit, wish.device, wish.scheduler) as executor:
        runs = {e: _run(data, names, wish, e) for e in executor.environments}
        if wish.check is not None and not any(run.jobs for run in runs.values()):
            fail(f"no check `{wish.check}` in {', '.join(names) or 'any record'}", 1)
        start = time.monotonic()
        if any(run.jobs for run in runs.values()):
            _outcomes(executor, runs)
        seconds = time.monotonic() - start
        if wish.junit is not None:
            suites = {e.name: run.ledger.lines for e, run in runs.items()}
            atomic.write(wish.junit, junit.suites(suites, seconds))
    found = [line for run in runs.values() for line in run.ledger.lines]
    if not found:
        say("everything is current")
        return 0
    for environment, run in runs.items():
        _report(environment.name, run.ledger.lines, run.jobs)
    ran = sum(run.ran() for run in runs.values())
    typer.echo(_pace(len(found), ran, seconds, executor))
    for run in runs.values():
        if run.ledger.path is not None:
            typer.echo(f"written to {run.ledger.path}")
    return 1 if any(OUTCOMES[line.outcome].failed for line in found) else 0


def _run(data: Path, names: list[str], wish: Wish, environment: Environment) -> Run:
    """What is to run in an environment: its release has checks and ports of its own."""
    curating = (data / "records").is_dir()
    release = environment.mindspore
    stale = None if wish.everything else environment.name
    with (
        nullcontext(choose.written(data, names, release))
        if curating
        else choose.installed(names, release)
    ) as chosen:
        todo = choose.jobs(chosen.records, chosen.guides, chosen.facts, stale, wish.shard)
    path = data / "evidence" / f"{environment.name}.jsonl" if wish.keep and curating else None
    return Run(
        {(j.owner, j.check): j for j in todo if wish.check is None or j.check == wish.check},
        Ledger(path, ledger.owned(chosen.records, chosen.guides)),
    )


def _report(environment: str, lines: list[Line], jobs: Mapping[tuple[str, str], Job]) -> None:
    for line in sorted(lines, key=lambda li: (li.record, li.check)):
        if OUTCOMES[line.outcome].failed:
            typer.echo(f"{line.record}: {line.check}: {line.outcome}: {line.message}")
            typer.echo("rerun it with:\n" + script.script(jobs[line.record, line.check]))
    counts = Counter(line.outcome for line in lines)
    typer.echo(f"{environment}: {len(lines)} checks: {_said(counts)}")
    found = Counter(f.outcome for line in lines for f in line.variants.values())
    typer.echo(f"{found.total()} variants of them: {_said(found)}")


def _said(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {outcome}" for outcome, n in sorted(counts.items())) or "none"


def _outcomes(executor: Executor, runs: Mapping[Environment, Run]) -> None:
    """Run jobs; what came out until a signal stopped them is kept."""
    total = sum(len(run.jobs) for run in runs.values())
    progress(f"importing both frameworks, then {total} checks")
    todo = {e: list(run.jobs.values()) for e, run in runs.items() if run.jobs}
    try:
        with running.stoppable(), closing(executor.run(todo)) as outcomes:
            for environment, line in outcomes:
                runs[environment].ledger.add(line)
                place = f"{environment.name}: " if len(todo) > 1 else ""
                said = f"{line.record}: {line.check}: {line.outcome}"
                progress(f"{_count(runs)}/{total} {place}{said}")
    except Stopped as stopped:
        progress("")
        said = f"stopped after {_count(runs):,} of {total:,} checks; {_keep(runs)}"
        fail(said, stopped.status)
    except MsmapError:
        progress("")
        _keep(runs)
        raise
    progress("")
    _keep(runs)


def _count(runs: Mapping[Environment, Run]) -> int:
    return sum(len(run.ledger.lines) for run in runs.values())


def _keep(runs: Mapping[Environment, Run]) -> str:
    """Write what came out, if it is to be kept; what was done about it."""
    said = []
    for run in runs.values():
        if run.ledger.path is not None:
            run.ledger.write()
            said.append(f"{len(run.ledger.lines):,} outcomes are in {run.ledger.path}")
    return ", ".join(said) or "nothing is kept"


def _pace(count: int, runs: int, seconds: float, executor: Executor) -> str:
    """Such as ``1,026 checks, 5,700 runs in 184 s, 31 runs a second on 2 processes``."""
    width = executor.width
    noun, processes = "check" if count == 1 else "checks", "process" if width == 1 else "processes"
    rate = f"{runs / seconds:.2g}" if runs < 10 * seconds else f"{runs / seconds:,.0f}"
    took = f"{runs:,} runs in {seconds:.0f} s"
    return f"{count:,} {noun}, {took}, {rate} runs a second on {width} {processes}"
