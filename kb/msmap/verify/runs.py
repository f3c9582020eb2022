"""Checks chosen, run and kept: in the environment that is here, or in those of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path

from msmap.evidence.files import Line
from msmap.evidence.names import Environment
from msmap.messages import Message, joined
from msmap.model import Record
from msmap.verify import ledger
from msmap.verify.executors.executor import Executor
from msmap.verify.ledger import Ledger
from msmap.verify.plan import choose
from msmap.verify.plan.choose import Shard
from msmap.verify.plan.job import Job


@dataclass(frozen=True, slots=True)
class Asked:
    """Which checks are to run: of the data files, or of the installed database without them.

    Those of ``names``, all if there are none; in ``shard`` and called ``check``, if these are
    given; ``everything`` or what has no current evidence. ``keep`` writes what came out.
    """

    data: Path
    names: list[str]
    everything: bool = True
    shard: Shard | None = None
    check: str | None = None
    keep: bool = True

    @property
    def curating(self) -> bool:
        """Whether there are data files."""
        return (self.data / "records").is_dir()


@dataclass(frozen=True, slots=True)
class Run:
    """The jobs of one environment, the records that they are of, and what comes out of them."""

    records: list[Record]
    jobs: dict[tuple[str, str], Job]
    ledger: Ledger

    def ran(self) -> int:
        """How many checks and variants ran; what is another over again did not."""
        done = ((line, self.jobs[line.record, line.check]) for line in self.ledger.lines)
        return sum(1 + len(line.variants.keys() - job.twins.keys()) for line, job in done)


def planned(asked: Asked, environment: Environment) -> Run:
    """What is to run in an environment: its release has checks and ports of its own.

    Raises:
        NotFound: there is nothing of a name.
        MsmapError: a check can't be ported, or there is no database.
    """
    release = environment.mindspore
    stale = None if asked.everything else environment.name
    with (
        nullcontext(choose.written(asked.data, asked.names, release))
        if asked.curating
        else choose.installed(asked.names, release)
    ) as chosen:
        todo = choose.jobs(chosen.records, chosen.guides, chosen.facts, stale, asked.shard)
    kept = asked.keep and asked.curating
    path = asked.data / "evidence" / f"{environment.name}.jsonl" if kept else None
    return Run(
        chosen.records,
        {(j.owner, j.check): j for j in todo if asked.check is None or j.check == asked.check},
        Ledger(path, ledger.owned(chosen.records, chosen.guides)),
    )


def carry_out(
    executor: Executor,
    runs: Mapping[Environment, Run],
    heard: Callable[[Environment, Line], None],
) -> None:
    """Run jobs, and tell each outcome to ``heard`` once it is in its ledger.

    Raises:
        CannotVerify: the jobs can't run any more.
    """
    todo = {e: list(run.jobs.values()) for e, run in runs.items() if run.jobs}
    with closing(executor.run(todo)) as outcomes:
        for environment, line in outcomes:
            runs[environment].ledger.add(line)
            heard(environment, line)


def count(runs: Mapping[Environment, Run]) -> int:
    """How many outcomes there are."""
    return sum(len(run.ledger.lines) for run in runs.values())


def keep(runs: Mapping[Environment, Run]) -> Message:
    """Write what came out, if it is to be kept; what was done about it, in words."""
    said: list[Message] = []
    for run in runs.values():
        if run.ledger.path is not None:
            run.ledger.write()
            said.append(Message("{:,} outcomes are in {}", len(run.ledger.lines), run.ledger.path))
    return joined(", ", said) if said else Message("nothing is kept")
