"""The probe command: choose names, run them, show progress, report, keep what was found."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import typer

from msmap.errors import MsmapError
from msmap.evidence import probes
from msmap.evidence.names import Environment
from msmap.messages import Message
from msmap.probe import bench as benches
from msmap.probe import rounds, samples
from msmap.probe.bench import Bench
from msmap.probe.ledger import Ledger
from msmap.probe.rounds import Mark
from msmap.probe.sample import Sampling
from msmap.probe.turned import Turned
from msmap.probed import Candidate, Probe, Tally
from msmap.verify.executors.executor import Executor
from msmap.verify.plan.choose import Shard
from msmap.vocabulary import NOT_PROBED, PROBE_OUTCOMES
from msmap_cli import running
from msmap_cli.output import fail, progress
from msmap_cli.running import Stopped

# Names whose findings are printed each; of more, a summary says enough.
_FEW = 20


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user asked for."""

    everything: bool
    samples: int | None
    jobs: int | None
    limit: float
    device: str
    keep: bool
    shard: Shard | None
    scheduler: str | None

    @property
    def most(self) -> int:
        """How many samples of a dtype."""
        return samples.LIMIT if self.samples is None else self.samples


def run(data: Path, names: list[str], wish: Wish) -> int:
    """Probe what is asked for; the exit status."""
    if not (data / "signatures").is_dir():
        raise MsmapError("{}/signatures is missing: probing needs the files of a checkout", data)
    with running.executor(wish.jobs, wish.limit, wish.device, wish.scheduler) as executor:
        for environment in executor.environments:
            _probe(data, names, wish, executor, environment)
    return 0


def _probe(
    data: Path, names: list[str], wish: Wish, executor: Executor, environment: Environment
) -> None:
    """Probe names in one environment, and say what was found."""
    bench = benches.read(data, environment.mindspore)
    known = bench.names()
    path = probes.path(data, environment.name) if wish.keep else None
    ledger = Ledger(path, known)
    examples = Turned(bench)
    chosen = list(dict.fromkeys(canonical(bench, names))) if names else known
    if wish.shard is not None:
        chosen = [name for name in chosen if wish.shard.has(name)]
    current: dict[str, Probe] = {}
    if not names and not wish.everything:
        current = ledger.current()

        def is_stale(name: str) -> bool:
            now = rounds.mark(bench, bench.prepare(name), wish.most, examples.digest)
            return Mark.of(current.get(name)) != now

        chosen = list(filter(is_stale, chosen))
    if not chosen:
        typer.echo(f"{environment.name}: everything is current")
        return
    start = time.monotonic()
    _run(bench, chosen, wish, executor, environment, ledger, examples, current)
    if len(chosen) <= _FEW:
        for probe in sorted(ledger.probes, key=lambda p: p.name):
            typer.echo("\n".join(_told(probe)))
    seconds = time.monotonic() - start
    typer.echo(f"{environment.name}: {_summary(ledger.probes)}")
    typer.echo(f"{len(ledger.probes):,} names in {seconds:.0f} s on {executor.width} processes")
    if path is not None:
        typer.echo(f"written to {path}")


def canonical(bench: Bench, names: Sequence[str]) -> Iterator[str]:
    """The canonical names that some spellings mean, as records call them."""
    for name in names:
        known = bench.base.torch_name(name)
        if known is None:
            raise MsmapError("{}: no name of PyTorch {}", name, bench.torch.release)
        yield known


def _run(
    bench: Bench, chosen: Sequence[str], wish: Wish, executor: Executor, environment: Environment,
    ledger: Ledger, examples: Turned, kept: Mapping[str, Probe],
) -> None:  # fmt: skip
    """Run names; what was found until a signal stopped it is kept."""
    total = len(chosen)
    width = wish.jobs or os.cpu_count() or 1

    def sampler(names: Sequence[str]) -> Mapping[str, Sampling]:
        progress(
            Message(
                "{}/{}: sampling {} and {} more",
                len(ledger.probes),
                total,
                names[0],
                len(names) - 1,
            )
        )
        return room.read(names)

    room = samples.Sampler(bench.torch.apis, wish.most, width, examples.told)
    found = rounds.probe(
        bench, chosen, sampler, executor, environment, wish.most, examples.digest, kept
    )
    try:
        with running.stoppable(), room, closing(found):
            for probe in found:
                ledger.add(probe)
                progress(f"{len(ledger.probes)}/{total} {probe.name}: {_short(probe)}")
    except Stopped as stopped:
        progress("")
        ledger.write()
        where = Message("nothing is kept")
        if ledger.path:
            where = Message("what was found is in {}", ledger.path)
        fail(
            Message("stopped after {:,} of {:,} names; {}", len(ledger.probes), total, where),
            stopped.status,
        )
    except MsmapError:
        progress("")
        ledger.write()
        raise
    progress("")
    ledger.write()


def _short(probe: Probe) -> str:
    best = probe.best
    if probe.reason or best is None:
        return NOT_PROBED[probe.reason][0] if probe.reason else "nothing"
    return f"{best.key} {_share(best.values)}"


def _share(tally: Tally) -> str:
    return f"{tally.agreed} of {tally.tried}"


def _told(probe: Probe) -> Iterator[str]:
    """The lines about a name."""
    count = ", ".join(f"{number} {origin}" for origin, number in probe.samples.items())
    yield f"{probe.name}: {NOT_PROBED[probe.reason][0] if probe.reason else f'samples: {count}'}"
    for candidate in probe.candidates:
        yield f"  {candidate.key}: {_tallies(candidate)}"
        for difference in candidate.differences:
            what = PROBE_OUTCOMES[difference.outcome][0]
            where = ", ".join(difference.dtypes)
            yield f"    {difference.count} {what} [{where}]: {difference.message}"


def _tallies(candidate: Candidate) -> str:
    told = [f"values {_share(candidate.values)}"]
    if candidate.gradients.tried:
        told.append(f"gradients {_share(candidate.gradients)}")
    if candidate.errors.tried:
        told.append(f"errors {_share(candidate.errors)}")
    return ", ".join(told) + f" ({candidate.found})"


def _summary(found: Sequence[Probe]) -> str:
    """How many names agree how far."""
    count: Counter[str] = Counter()
    for probe in found:
        best = probe.best
        if probe.reason or best is None:
            count["not run"] += 1
        elif best.values.agreed == best.values.tried:
            count["agree on all samples"] += 1
        elif 2 * best.values.agreed >= best.values.tried:
            count["agree on most"] += 1
        else:
            count["agree on some" if best.values.agreed else "agree on none"] += 1
    return ", ".join(f"{number} {what}" for what, number in count.items())
