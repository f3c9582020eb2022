"""Names probed one bundle after another: sampled, tried with a handful, then with all samples."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from msmap.evidence.names import Environment
from msmap.probe import ranks, reasons, runs
from msmap.probe.bench import Bench, Prepared
from msmap.probe.runs import Findings
from msmap.probe.sample import Sample, Sampling
from msmap.probe.samples import LIMIT
from msmap.probed import Candidate, Probe
from msmap.verify.executors.executor import Executor
from msmap.verify.plan.job import Job

# Names that are sampled together; the second round of one bundle runs with the first of the next.
# Where there are more samples than usual, they are fewer.
BUNDLE = 48

# Gives what some names are tried with, by name.
Sampler = Callable[[Sequence[str]], Mapping[str, Sampling]]


@dataclass(slots=True)
class _Trying:
    """A name under way."""

    prepared: Prepared
    sampling: Sampling
    hash: str
    found: Findings = field(default_factory=dict)
    job: Job | None = None

    @property
    def samples(self) -> Sequence[Sample]:
        return self.sampling.samples

    def first(self, bench: Bench) -> None:
        """The job of a handful of samples on all candidates."""
        few = runs.handful(self.samples)
        self.job = runs.job(bench, self.prepared, few, list(self.prepared.targets), self.found)

    def rest(self, bench: Bench) -> None:
        """The job of all other samples on the candidates that hold."""
        few = runs.handful(self.samples)
        keys = runs.survivors(self.prepared, few, self.found)
        self.job = runs.job(bench, self.prepared, self.samples, keys, self.found)


def probe(
    bench: Bench,
    names: Sequence[str],
    sampler: Sampler,
    executor: Executor,
    environment: Environment,
    limit: int,
) -> Generator[Probe, None, None]:
    """The probes of canonical names, each as soon as it is there.

    Args:
        bench: what is known.
        names: canonical PyTorch names.
        sampler: gives what names are tried with.
        executor: runs jobs.
        environment: where they run.
        limit: how many samples of a dtype the sampler gives, for the hash.

    Raises:
        CannotVerify: a framework is missing or broken, or nobody is there to run anything.
    """
    waiting: list[_Trying] = []
    size = max(1, BUNDLE * LIMIT // max(limit, LIMIT))
    bundles = [names[start : start + size] for start in range(0, len(names), size)]
    for bundle in [*bundles, []]:
        fresh: list[_Trying] = []
        wanted: list[tuple[Prepared, str]] = []
        for name in bundle:
            prepared = bench.prepare(name)
            hash = bench.hash(prepared, limit)
            done = _unrun(bench, prepared, hash)
            if done is not None:
                yield done
            else:
                wanted.append((prepared, hash))
        samplings = sampler([prepared.name for prepared, _ in wanted]) if wanted else {}
        for prepared, hash in wanted:
            sampling = samplings.get(prepared.name, Sampling(prepared.name))
            reason = reasons.after(sampling)
            if reason:
                yield _by_name(prepared, hash, reason, dict(sorted(sampling.gaps.items())))
                continue
            fresh.append(_Trying(prepared, sampling, hash))
        for trying in waiting:
            trying.rest(bench)
        for trying in fresh:
            trying.first(bench)
        last = {trying.prepared.name for trying in waiting}
        with closing(_run(executor, environment, [*waiting, *fresh])) as ended:
            for trying in ended:
                if trying.prepared.name in last:
                    yield ranks.probe(
                        bench, trying.prepared, trying.sampling, trying.found, trying.hash
                    )
        waiting = fresh


def _run(
    executor: Executor, environment: Environment, tried: Iterable[_Trying]
) -> Generator[_Trying, None, None]:
    """Run the jobs of names; each name as soon as what its job gave is taken in."""
    by_name: dict[str, _Trying] = {}
    for trying in tried:
        if trying.job is not None and trying.job.variants:
            by_name[trying.prepared.name] = trying
        else:
            yield trying
    jobs = [trying.job for trying in by_name.values() if trying.job is not None]
    if not jobs:
        return
    with closing(executor.run({environment: jobs})) as lines:
        for _, line in lines:
            trying = by_name[line.record]
            assert trying.job is not None, "it ran"
            trying.found |= runs.read(trying.prepared, line, trying.job)
            yield trying


def _unrun(bench: Bench, prepared: Prepared, hash: str) -> Probe | None:
    """The probe of a name of which nothing is run; None if it is to be sampled."""
    reason = reasons.before(bench.torch.apis[prepared.name])
    if not reason and not prepared.targets:
        reason = "no_candidate"
    return _by_name(prepared, hash, reason, {}) if reason else None


def _by_name(prepared: Prepared, hash: str, reason: str, gaps: dict[str, int]) -> Probe:
    """A probe with candidates that nothing was tried with."""
    candidates = tuple(
        Candidate(prepared.kept(key, whole=False), prepared.ideas[key].found)
        for key in prepared.targets
    )
    return Probe(prepared.name, hash, reason, gaps=gaps, candidates=candidates)
