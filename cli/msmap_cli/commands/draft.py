"""Records drafted from what runs found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from msmap.messages import Message
from msmap_cli.opening import loading
from msmap_cli.options import Data, Jobs
from msmap_cli.output import fail, progress, report, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from msmap.evidence.files import Line
    from msmap.evidence.names import Environment
    from msmap.probe.bench import Bench
    from msmap.probe.draft import Drafted, Run
    from msmap.probe.sample import Sampling
    from msmap.probe.samples import Sampler
    from msmap.probe.turned import Turned
    from msmap.probed import Probe
    from msmap.verify.executors.executor import Executor
    from msmap.verify.plan.job import Job


def draft(
    names: Annotated[list[str], typer.Argument(help="PyTorch names in any spelling.")],
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
    """Write records for PyTorch names from what runs find; TODO is left for a person.

    What probing found is taken if it is current, else the name is probed first. Exit status: 1 if
    there is a record already, then nothing is written, or if of some name nothing can be drafted.
    """
    sys.exit(loading(lambda: run(data, names, like, force, jobs, limit)))


def run(
    data: Path, spellings: Sequence[str], sibling: str | None, force: bool, jobs: int | None,
    limit: float,
) -> int:  # fmt: skip
    """Draft records, write them, and say what is left to do."""
    from msmap.curated.paths import path_of
    from msmap.errors import MsmapError
    from msmap.probe import bench as benches
    from msmap.probe import samples
    from msmap.probe.turned import Turned
    from msmap_cli import probing, running

    if not (data / "signatures").is_dir():
        raise MsmapError("{}/signatures is missing: a draft needs the files of a checkout", data)
    warm = running.may_stay_warm()
    with running.executor(jobs, limit, "cpu", None, warm) as executor:
        (environment,) = executor.environments
        bench = benches.read(data, environment.mindspore)
        names = list(dict.fromkeys(probing.canonical(bench, spellings)))
        like = next(probing.canonical(bench, [sibling])) if sibling else ""
        if like and like not in bench.base.written:
            fail(Message("{} has no record; --like wants one that has", like), 1)
        paths = {name: data / "records" / path_of(name) for name in names}
        for path in paths.values():
            if path.exists() and not force:
                fail(Message("{} is there already; --force replaces it", path), 1)
        examples = Turned(bench)
        with samples.Sampler(bench.torch.apis, told=examples.told) as sampler:
            drafter = _Drafter(bench, data, sampler, executor, environment, examples)
            done = [drafter.draft(name, like, path) for name, path in paths.items()]
    return 0 if all(done) else 1


class _Drafter:
    """What drafts share: what is known, and the processes that sample and run."""

    def __init__(
        self, bench: Bench, data: Path, sampler: Sampler, executor: Executor,
        environment: Environment, examples: Turned,
    ) -> None:  # fmt: skip
        from msmap.evidence import probes
        from msmap.probe.ledger import Ledger

        self._bench, self._sampler, self._executor = bench, sampler, executor
        self._data = data
        self._environment, self._examples = environment, examples
        path = probes.path(data, environment.name)
        self._kept = probes.read(path, []) if path.exists() else {}
        self._ledger = Ledger(path, bench.names())

    def draft(self, name: str, like: str, path: Path) -> bool:
        """Write the record of a name; whether there was anything to draft from."""
        from msmap import atomic
        from msmap.curated import load
        from msmap.errors import MsmapError
        from msmap.probe import draft as drafts

        progress(Message("sampling {}", name))
        sampling = self._sampler.read([name])[name]
        progress(Message("probing {}", name))
        probe = self._probe(self._bench, name, sampling)
        progress(Message("drafting {}", name))
        run = _runner(self._executor, self._environment)
        try:
            drafted = drafts.draft(self._bench, probe, sampling, run, like)
            text = drafts.text(drafted.data, self._bench.families.values())
            # What is no record would keep every other command from reading the data.
            record = load.read(path, "records", text.encode(), load.families_in(self._data)).item
        except MsmapError as error:
            progress("")
            report(error.message)
            return False
        atomic.write(path, text)
        # What its record does with samples is asked by lint, and no person's work.
        progress(Message("probing {} again", name))
        self._probe(self._bench.joined(record), name, sampling)
        progress("")
        _tell(name, path, drafted)
        return True

    def _probe(self, bench: Bench, name: str, sampling: Sampling) -> Probe:
        """What is kept of a name if it is current; else what is found now, which is kept."""
        from msmap.probe import rounds, samples

        kept, digest = self._kept.get(name), self._examples.digest
        now = rounds.mark(bench, bench.prepare(name), samples.LIMIT, digest)
        if kept is not None and rounds.Mark.of(kept) == now:
            return kept
        (found,) = rounds.probe(
            bench, [name], lambda names: {name: sampling}, self._executor,
            self._environment, samples.LIMIT, digest,
        )  # fmt: skip
        self._ledger.add(found)
        self._kept[name] = found
        self._ledger.write()
        return found


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
    say(Message("  {}; {} texts to write, in English and Chinese (TODO)", counts, drafted.todo))
    for sentence in drafted.said:
        say(f"  {sentence}")
    for command in ("verify", "lint"):
        say(Message("  next: msmap {} {}", command, name))
