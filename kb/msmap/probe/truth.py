"""What becomes of a record's samples: they agree, are told of, are refused, or nobody says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from msmap.evidence.names import Environment
from msmap.lint.rule import Subject
from msmap.lint.rules.samples import untold
from msmap.probe import ranks, runs
from msmap.probe.bench import Bench, Prepared
from msmap.probe.runs import AGREEING, Findings
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Difference, Tally
from msmap.verify.executors.executor import Executor
from msmap.verify.plan.job import Job

# Who only looks at what came out sees nothing of these.
_SILENT = ("differs", "in_place", "gradient_differs")
_GRADIENT = ("agrees", "gradient_differs", "gradient_raises")


@dataclass(frozen=True, slots=True)
class Truth:
    """What came of the samples of a record that PyTorch answers.

    Attributes:
        name: the record.
        dtypes: how many samples of each dtype came out so, by one of ``vocabulary.TRUTHS``. Those
            whose gradients were compared count once more, under words that begin with gradient.
        untold: what differs and is told by nobody, the worst first.
        told: what differs and is told.
        gaps: what could be no sample, by reason.
    """

    name: str
    dtypes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    untold: tuple[Difference, ...] = ()
    told: tuple[Difference, ...] = ()
    gaps: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Tried:
    """A record whose samples run, each on the target that the record takes for it."""

    subject: Subject
    prepared: Prepared
    sampling: Sampling
    carried: dict[str, str] = field(default_factory=dict)
    found: Findings = field(default_factory=dict)

    @property
    def samples(self) -> Sequence[Sample]:
        return [sample for sample in self.sampling.samples if not sample.raises]

    def job(self, bench: Bench) -> Job:
        """What is run: each sample once. What the rewriter refuses isn't."""
        calls = []
        order = list(self.prepared.targets)
        for sample in self.samples:
            key = bench.own(sample)
            code = bench.port(self.prepared, sample, key).code if key in order else None
            if code is not None:
                self.carried[sample.id] = key
                name = f"{order.index(key)}/{sample.id}"
                calls.append(runs.call(name, sample, code, self.prepared, key))
        return runs.of(self.prepared.name, calls)


def of(
    bench: Bench, subjects: Sequence[Subject], samplings: Mapping[str, Sampling],
    executor: Executor, environment: Environment,
) -> Generator[Truth, None, None]:  # fmt: skip
    """What becomes of the samples of records, each as soon as it has run."""
    tried = {
        subject.written.torch: _Tried(
            subject, bench.prepare(subject.written.torch), samplings[subject.written.torch]
        )
        for subject in subjects
        if subject.written.torch in samplings
    }
    jobs = {name: one.job(bench) for name, one in tried.items()}
    for name, one in tried.items():
        if not jobs[name].variants:
            yield _truth(one, bench)
    todo = [job for job in jobs.values() if job.variants]
    with closing(executor.run({environment: todo})) as lines:
        for _, line in lines:
            one = tried[line.record]
            one.found = runs.read(one.prepared, line, jobs[line.record])
            yield _truth(one, bench)


def _truth(tried: _Tried, bench: Bench) -> Truth:
    counts: dict[str, Counter[str]] = {}
    differing: dict[bool, dict[str, list[Sample]]] = {False: {}, True: {}}
    candidates = {key: _candidate(key, tried) for key in set(tried.carried.values())}
    for sample in tried.samples:
        count = counts.setdefault(sample.dtype, Counter())
        key = tried.carried.get(sample.id)
        if key is None:
            count["refused"] += 1
            continue
        finding = tried.found[key, sample.id]
        if finding.outcome in runs.VOID:
            continue
        alone = ranks.difference(key, [sample], bench, tried.prepared, tried.found)
        known = not untold(tried.subject, candidates[key], alone)
        count.update(_words(finding.outcome, known))
        differing[known].setdefault(key, []).append(sample)
    return Truth(
        tried.prepared.name,
        {dtype: dict(sorted(count.items())) for dtype, count in sorted(counts.items())},
        _differences(differing[False], tried, bench),
        _differences(differing[True], tried, bench),
        dict(sorted(tried.sampling.gaps.items())),
    )


def _differences(
    samples: Mapping[str, list[Sample]], tried: _Tried, bench: Bench
) -> tuple[Difference, ...]:
    """What samples show that differ, target by target; those that agree show nothing."""
    return tuple(
        ranks.difference(key, members, bench, tried.prepared, tried.found)
        for key, some in sorted(samples.items())
        for members in ranks.groups(key, some, tried.found)
    )


def _words(outcome: str, known: bool) -> Iterator[str]:
    """How a sample counts, and once more how its gradients do."""
    untold = "silent" if outcome in _SILENT else "loud"
    how = "told" if known else untold
    yield "agrees" if outcome in ("forward", *_GRADIENT) else how
    if outcome in _GRADIENT:
        yield f"gradient_{'agrees' if outcome == 'agrees' else how}"


def _candidate(key: str, tried: _Tried) -> Candidate:
    """How far a target agreed on the samples that the record carries to it."""
    dtypes: dict[str, Tally] = {}
    kinds: dict[str, Tally] = {}
    for sample in tried.samples:
        if tried.carried.get(sample.id) == key:
            one = Tally(int(tried.found[key, sample.id].outcome in AGREEING), 1)
            dtypes[sample.dtype] = dtypes.get(sample.dtype, Tally()) + one
            for kind in sample.kinds:
                kinds[kind] = kinds.get(kind, Tally()) + one
    kept = tried.prepared.kept(key, whole=False)
    return Candidate(kept, "record", dtypes=dtypes, kinds=kinds)
