"""Records drafted from what runs found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from msmap_cli.opening import loading
from msmap_cli.options import Data, Jobs
from msmap_cli.output import fail, progress, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msmap.evidence.files import Line
    from msmap.evidence.names import Environment
    from msmap.probe.bench import Bench
    from msmap.probe.draft import Drafted, Run
    from msmap.probe.sample import Sampling
    from msmap.probed import Probe
    from msmap.verify.executors.executor import Executor
    from msmap.verify.plan.job import Job


def draft(
    name: Annotated[str, typer.Argument(help="A PyTorch name in any spelling.")],
    like: Annotated[
        str | None,
        typer.Option(
            metavar="SIBLING",
            help="Take summary, targets and caveats of this name's record over where they hold.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the record there is.")] = False,
    data: Data = Path("data"),
    jobs: Jobs = None,
    limit: Annotated[float, typer.Option(min=0.1, help="Seconds that a sample may take.")] = 30.0,
) -> None:
    """Write a record for a PyTorch name from what runs find; TODO is left for a person.

    What probing found is taken if it is current, else the name is probed first. Exit status: 1 if
    there is a record already, or nothing to draft from.
    """
    sys.exit(loading(lambda: run(data, name, like, force, jobs, limit)))


def run(
    data: Path, spelling: str, sibling: str | None, force: bool, jobs: int | None, limit: float
) -> int:
    """Draft a record, write it, and say what is left to do."""
    from msmap import atomic
    from msmap.curated.paths import path_of
    from msmap.errors import MsmapError
    from msmap.probe import bench as benches
    from msmap.probe import draft as drafts
    from msmap.probe import samples
    from msmap_cli import probing, running

    if not (data / "signatures").is_dir():
        raise MsmapError(f"{data}/signatures is missing: a draft needs the files of a checkout")
    warm = running.may_stay_warm()
    with running.executor(jobs, limit, "cpu", None, warm) as executor:
        (environment,) = executor.environments
        bench = benches.read(data, environment.mindspore)
        (name,) = probing.canonical(bench, [spelling])
        like = next(probing.canonical(bench, [sibling])) if sibling else ""
        if like and like not in bench.base.written:
            fail(f"{like} has no record; --like wants one that has", 1)
        path = data / "records" / path_of(name)
        if path.exists() and not force:
            fail(f"{path} is there already; --force replaces it", 1)
        with samples.Sampler(bench.torch.apis) as sampler:
            progress(f"sampling {name}")
            sampling = sampler.read([name])[name]
            progress(f"probing {name}")
            probe = _probe(bench, name, data, sampling, executor, environment)
            progress(f"drafting {name}")
            drafted = drafts.draft(bench, probe, sampling, _runner(executor, environment), like)
        progress("")
    atomic.write(path, drafts.text(drafted.data))
    _tell(name, path, drafted)
    return 0


def _probe(
    bench: Bench, name: str, data: Path, sampling: Sampling, executor: Executor,
    environment: Environment,
) -> Probe:  # fmt: skip
    """What is kept of a name if it is current; else what is found now, which is kept."""
    from msmap.evidence import probes
    from msmap.probe import rounds, samples
    from msmap.probe.ledger import Ledger

    path = probes.path(data, environment.name)
    kept = probes.read(path, []).get(name) if path.exists() else None
    if kept is not None and kept.hash == bench.hash(bench.prepare(name), samples.LIMIT):
        return kept
    ledger = Ledger(path, bench.names())
    found = rounds.probe(
        bench, [name], lambda names: {name: sampling}, executor, environment, samples.LIMIT
    )
    for one in found:
        ledger.add(one)
    ledger.write()
    return ledger.probes[0]


def _runner(executor: Executor, environment: Environment) -> Run:
    """What runs jobs here."""
    from contextlib import closing

    def run(jobs: Sequence[Job]) -> list[Line]:
        with closing(executor.run({environment: list(jobs)})) as lines:
            return [line for _, line in lines]

    return run


def _tell(name: str, path: Path, drafted: Drafted) -> None:
    """Say what was written, what is left to a person, and what to run next."""
    data = drafted.data
    targets = ", ".join(str(t.get("id") or t.get("api")) for t in data["targets"])
    say(f"{path}: {targets}")
    counts = f"{len(data.get('checks', ()))} checks, {len(data.get('caveats', ()))} caveats"
    say(f"  {counts}; {drafted.todo} texts to write, in English and Chinese (TODO)")
    for sentence in drafted.said:
        say(f"  {sentence}")
    for command in ("verify", "lint", "probe"):
        say(f"  next: msmap {command} {name}")
