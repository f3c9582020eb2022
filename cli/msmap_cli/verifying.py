"""The verify command: checks run with progress, and all that a curator wants of one record."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from msmap import atomic
from msmap.errors import MsmapError
from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.messages import Message
from msmap.render import differences as shown
from msmap.render import junit
from msmap.render.layout import line
from msmap.verify import report, runs
from msmap.verify.executors.local import Local
from msmap.verify.runs import Asked, Run
from msmap.vocabulary import OUTCOMES
from msmap_cli import running
from msmap_cli.output import emit, fail, progress, say, show
from msmap_cli.running import Stopped

if TYPE_CHECKING:
    from msmap.assemble.content import Content
    from msmap.problems import Problem
    from msmap.verify.executors.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Place:
    """Where checks run: here, or on the workers of a scheduler; ``warm`` as ``Local`` has it."""

    jobs: int | None
    limit: float
    device: str
    scheduler: str | None = None
    warm: bool = False


def verify(asked: Asked, place: Place, out: Path | None) -> int:
    """Run what is asked for; the exit status: 1 if anything failed."""
    with running.executor(
        place.jobs, place.limit, place.device, place.scheduler, place.warm
    ) as executor:
        ran, seconds = _ran(executor, asked, out)
        width = executor.width
    if not runs.count(ran):
        say("everything is current")
        return 0
    _report(ran, seconds, width)
    _where(ran)
    return 1 if _failed(ran) else 0


def curate(
    asked: Asked, place: Place, out: Path | None, mutants: bool, at_least: float, form: str
) -> int:
    """All there is to know of one record: 1 if lint finds anything, or a check fails.

    Or if fewer than ``at_least`` % of its mutants are caught.
    """
    from msmap.evidence import attach, differences

    (name,) = asked.names
    wrong = _linted(_read(asked, None), name, evidence=False)
    if form == "text":
        _problems(wrong)
    told: dict[str, Any] = {}
    share = 100.0
    with running.executor(
        place.jobs, place.limit, place.device, place.scheduler, place.warm
    ) as executor:
        ran, seconds = _ran(executor, asked, out)
        ((environment, run),) = ran.items()
        lines = {environment.name: {(done.record, done.check): done for done in run.ledger.lines}}
        differing = differences.of(attach.record(run.records[0], lines))
        if form == "text":
            _report(ran, seconds, executor.width)
            show(shown.lines(differing))
        found = _read(asked, environment.mindspore)
        if mutants:
            told, share = _mutated(executor, found, name, environment, form)
    # Of one check alone, what the others lack is not the question.
    if asked.keep and asked.check is None:
        after = _linted(found, name, evidence=True)
        wrong += after
        if form == "text":
            _problems(after)
    if form == "text":
        _where(ran)
    else:
        answer = {
            "environment": environment.name,
            "problems": [asdict(p) | {"path": str(p.path)} for p in wrong],
            "checks": sorted((asdict(d) for d in run.ledger.lines), key=itemgetter("check")),
            "differences": [asdict(d) for d in differing],
            "mutants": told or None,
        }
        emit(answer, form)
    return 1 if wrong or _failed(ran) or share < at_least else 0


def record(asked: Asked) -> str | None:
    """The one record in the data files that is asked for by its name; None if it is no such."""
    from msmap.curated.paths import path_of
    from msmap.names import torch_spellings

    if len(asked.names) != 1 or not asked.curating:
        return None
    # The id of a guide may look like a difference of two names.
    if (asked.data / "guides" / f"{asked.names[0]}.yaml").is_file():
        return None
    found = torch_spellings(asked.names[0])
    return next((n for n in found if (asked.data / "records" / path_of(n)).is_file()), None)


def end() -> int:
    """End the process that an earlier run left."""
    from msmap.verify.executors import warm

    count = warm.stop()
    typer.echo("ended the process that waited" if count else "no process waited")
    return 0


# What says of a record what came out of its checks.
_OF_EVIDENCE = ("evidence-is-current", "difference-is-explained", "variant-shows-its-caveat")


def _read(asked: Asked, mindspore: str | None) -> Content:
    from msmap.assemble import content
    from msmap.verify.plan.variants import GENERATION

    return content.read(asked.data, mindspore, generation=GENERATION, about=set(asked.names))


def _linted(found: Content, name: str, evidence: bool) -> list[Problem]:
    """What rules say of a record: those of its evidence, or the others."""
    from msmap.lint import run as engine
    from msmap.lint.rules import RULES

    only = {rule for rule in RULES if (rule in _OF_EVIDENCE) == evidence}
    return engine.problems(found, only, {name})


def _problems(found: Iterable[Problem]) -> None:
    from msmap_cli.commands.lint import lines

    show(lines(found))


def _mutated(
    executor: Local | Cluster, found: Content, name: str, environment: Environment, form: str
) -> tuple[dict[str, Any], float]:
    """The mutants of a record, shown or as data; and how many percent are caught."""
    from msmap.verify.mutation import report as mutation
    from msmap_cli.commands import mutate

    assert isinstance(executor, Local)
    records = [found.base.records[name]]
    judged = mutate.judge(executor, found, records, environment.name)
    if form == "text":
        show(map(line, mutation.lines(environment.name, records, judged)))
    return mutation.data(environment.name, records, judged), mutation.share(judged)


def _ran(
    executor: Local | Cluster, asked: Asked, out: Path | None
) -> tuple[dict[Environment, Run], float]:
    """What came out in each environment, and the seconds that it took; JUnit XML too."""
    ran = {e: runs.planned(asked, e) for e in executor.environments}
    total = sum(len(run.jobs) for run in ran.values())
    if asked.check is not None and not total:
        fail(Message("no check `{}` in {}", asked.check, ", ".join(asked.names) or "any record"), 1)
    several = sum(bool(run.jobs) for run in ran.values()) > 1

    def heard(environment: Environment, done: Line) -> None:
        where = f"{environment.name}: " if several else ""
        said = f"{done.record}: {done.check}: {done.outcome}"
        progress(f"{runs.count(ran)}/{total} {where}{said}")

    start = time.monotonic()
    if total:
        progress(Message("importing both frameworks, then {} checks", total))
        try:
            with running.stoppable():
                runs.carry_out(executor, ran, heard)
        except Stopped as stopped:
            progress("")
            said = Message(
                "stopped after {:,} of {:,} checks; {}", runs.count(ran), total, runs.keep(ran)
            )
            fail(said, stopped.status)
        except MsmapError:
            progress("")
            runs.keep(ran)
            raise
        progress("")
        runs.keep(ran)
    seconds = time.monotonic() - start
    if out is not None:
        suites = {e.name: run.ledger.lines for e, run in ran.items()}
        atomic.write(out, junit.suites(suites, seconds))
    return ran, seconds


def _report(ran: dict[Environment, Run], seconds: float, width: int) -> None:
    for environment, run in ran.items():
        for text in report.lines(environment.name, run):
            typer.echo(text)
    count = sum(run.ran() for run in ran.values())
    typer.echo(report.pace(runs.count(ran), count, seconds, width))


def _where(ran: dict[Environment, Run]) -> None:
    for run in ran.values():
        if run.ledger.path is not None:
            typer.echo(f"written to {run.ledger.path}")


def _failed(ran: dict[Environment, Run]) -> bool:
    return any(OUTCOMES[done.outcome].failed for run in ran.values() for done in run.ledger.lines)
