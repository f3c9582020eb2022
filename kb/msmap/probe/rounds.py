"""Names probed one bundle after another: sampled, tried with a handful, then with all samples."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from msmap.evidence.names import Environment
from msmap.probe import ranks, reasons, runs
from msmap.probe.bench import Bench, Prepared
from msmap.probe.documented import ORIGIN
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
# Gives a digest of what MindSpore's documentation has for a name (``turned.Turned.digest``).
Digest = Callable[[Prepared], str]


@dataclass(frozen=True, slots=True)
class Mark:
    """What decides whether a name has to run again."""

    hash: str
    examples: str = ""

    @classmethod
    def of(cls, probe: Probe | None) -> Mark:
        """That of what is kept of a name."""
        return cls("") if probe is None else cls(probe.hash, probe.examples)


def mark(bench: Bench, prepared: Prepared, limit: int, digest: Digest) -> Mark:
    """The mark that a name has now; of one that isn't run, examples are none."""
    unrun = _reason(bench, prepared)
    return Mark(bench.hash(prepared, limit), "" if unrun else digest(prepared))


@dataclass(slots=True)
class _Trying:
    """A name under way."""

    prepared: Prepared
    sampling: Sampling
    mark: Mark
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
    digest: Digest = lambda prepared: "",
    kept: Mapping[str, Probe] = MappingProxyType({}),
) -> Generator[Probe, None, None]:
    """The probes of canonical names, each as soon as it is there.

    Args:
        bench: what is known.
        names: canonical PyTorch names.
        sampler: gives what names are tried with.
        executor: runs jobs.
        environment: where they run.
        limit: how many samples of a dtype the sampler gives, for the hash.
        digest: says what examples of MindSpore's it has.
        kept: what is known of some; it stays where all that is new is examples that give nothing.

    Raises:
        CannotVerify: a framework is missing or broken, or nobody is there to run anything.
    """
    waiting: list[_Trying] = []
    asked = 0 if limit == LIMIT else limit
    size = max(1, BUNDLE * LIMIT // max(limit, LIMIT))
    bundles = [names[start : start + size] for start in range(0, len(names), size)]
    for bundle in [*bundles, []]:
        fresh: list[_Trying] = []
        wanted: list[tuple[Prepared, Mark]] = []
        for name in bundle:
            prepared = bench.prepare(name)
            found = mark(bench, prepared, limit, digest)
            if unrun := _reason(bench, prepared):
                yield replace(_by_name(prepared, found, unrun, {}), limit=asked)
            else:
                wanted.append((prepared, found))
        samplings = sampler([prepared.name for prepared, _ in wanted]) if wanted else {}
        for prepared, found in wanted:
            sampling = samplings.get(prepared.name, Sampling(prepared.name))
            reason = reasons.after(sampling)
            if reason:
                gaps = dict(sorted(sampling.gaps.items()))
                yield replace(_by_name(prepared, found, reason, gaps), limit=asked)
                continue
            if (old := _still(kept.get(prepared.name), found, sampling)) is not None:
                yield old
                continue
            fresh.append(_Trying(prepared, sampling, found))
        for trying in waiting:
            trying.rest(bench)
        for trying in fresh:
            trying.first(bench)
        last = {trying.prepared.name for trying in waiting}
        with closing(_run(executor, environment, [*waiting, *fresh])) as ended:
            for trying in ended:
                if trying.prepared.name in last:
                    made = ranks.probe(
                        bench, trying.prepared, trying.sampling, trying.found, trying.mark.hash
                    )
                    yield replace(made, examples=trying.mark.examples, limit=asked)
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


def _reason(bench: Bench, prepared: Prepared) -> str:
    """Why nothing of a name is run; "" if it is to be sampled."""
    reason = reasons.before(bench.torch.apis[prepared.name])
    return reason or ("" if prepared.targets else "no_candidate")


def _still(kept: Probe | None, now: Mark, sampling: Sampling) -> Probe | None:
    """What is kept of a name of which nothing new could be run."""
    gained = any(sample.origin == ORIGIN for sample in sampling.samples)
    if kept is None or kept.hash != now.hash or gained or ORIGIN in kept.samples:
        return None
    return replace(kept, examples=now.examples)


def _by_name(prepared: Prepared, mark: Mark, reason: str, gaps: dict[str, int]) -> Probe:
    """A probe with candidates that nothing was tried with."""
    candidates = tuple(
        Candidate(prepared.kept(key, whole=False), prepared.ideas[key].found)
        for key in prepared.targets
    )
    return Probe(
        prepared.name, mark.hash, reason, gaps=gaps, candidates=candidates, examples=mark.examples
    )
