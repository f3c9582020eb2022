"""Samples on candidates as jobs: a handful on all of them, then the others on those that hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.bench import Bench, Prepared
from msmap.probe.sample import Sample
from msmap.verify.plan.job import EACH, LIKE, RAISES, Job

# Samples that every candidate is tried with, and how many candidates get the others.
HANDFUL = 8
SURVIVORS = 4
# Where nothing agrees so far, fewer get them.
HOPELESS = 2

# What came of a sample on a candidate, by the key of the candidate and the id of the sample.
Findings = dict[tuple[str, str], Finding]
CHECK = "probe"
# Of samples that say nothing of any candidate: PyTorch raises, or no signature here takes the call.
_STRANGE = "signature"
VOID = ("torch", _STRANGE)
AGREEING = ("agrees", "forward", "in_place", "gradient_differs", "gradient_raises")
_SIDE = "/"


def handful(samples: Sequence[Sample]) -> list[Sample]:
    """A few samples, from one end to the other, of those of which PyTorch gives an answer."""
    plain = [s for s in samples if not s.raises]
    count = min(HANDFUL, len(plain))
    return [plain[number * len(plain) // count] for number in range(count)]


def survivors(prepared: Prepared, samples: Sequence[Sample], found: Findings) -> list[str]:
    """The candidates that are tried with all samples, by what a handful gave.

    At least half as many agree as of the best; where none does, the likeliest are tried.
    """
    gave = {key: [found[key, s.id] for s in samples] for key in prepared.targets}
    agreed = {key: sum(f.outcome in AGREEING for f in gave[key]) for key in gave}
    best = max(agreed.values(), default=0)
    order = sorted(agreed, key=lambda key: (-agreed[key], -sum(map(near, gave[key]))))
    if not best:
        return order[:HOPELESS]
    # What its record says is compared to the end.
    own = [key for key in order if prepared.ideas[key].found == "record"]
    good = [key for key in order if 2 * agreed[key] >= best and key not in own]
    return [*own, *good[: max(1, SURVIVORS - len(own))]]


def near(finding: Finding) -> bool:
    """Whether results differ in their dtype alone."""
    return finding.outcome == "differs" and all(
        text.startswith("dtype ") for text in finding.message.split("; ")
    )


def job(
    bench: Bench, prepared: Prepared, samples: Iterable[Sample], keys: Collection[str],
    found: Findings,
) -> Job:  # fmt: skip
    """The job of some samples on some candidates; what can't be written is found at once."""
    runs: list[dict[str, Any]] = []
    for sample in samples:
        for number, key in enumerate(prepared.targets):
            if key not in keys or (key, sample.id) in found:
                continue
            ported = bench.port(prepared, sample, key)
            if ported.code is None:
                strange = ported.kind == "no_overload"
                found[key, sample.id] = Finding(_STRANGE if strange else "refused", ported.reason)
                continue
            runs.append(call(f"{number}{_SIDE}{sample.id}", sample, ported.code, prepared, key))
    return of(prepared.name, runs)


def of(owner: str, calls: Sequence[dict[str, Any]]) -> Job:
    """The job of calls of a name, each of which has an outcome."""
    return Job(
        owner=owner, check=CHECK, hash="", torch="", mindspore="", inputs={},
        expect=EACH, gives={}, gradient=True, modes=(), rtol=None, atol=None, raises=None,
        state=(), variants=tuple(calls),
    )  # fmt: skip


def call(name: str, sample: Sample, code: str, prepared: Prepared, key: str) -> dict[str, Any]:
    """A sample beside code of MindSpore's, as a job carries it; ``key`` says what its state is."""
    expect = RAISES if sample.raises else LIKE if sample.random else "same"
    state = [{"torch": s.torch, "mindspore": s.mindspore, "value": s.value}
             for s in prepared.targets[key].state]  # fmt: skip
    return {
        "name": name, "torch": sample.torch, "mindspore": code, "inputs": sample.inputs,
        "gradient": sample.gradient, "expect": expect, "state": state,
    }  # fmt: skip


def read(prepared: Prepared, line: Line, job: Job) -> Findings:
    """What a job gave."""
    keys = list(prepared.targets)
    found: Findings = {}
    for run in job.variants:
        number, _, sample = run["name"].partition(_SIDE)
        finding = line.variants.get(run["name"], Finding("inconclusive", line.message))
        found[keys[int(number)], sample] = _told(finding)
    return found


# What a zygote says of a child that ended before it had an answer.
_ENDS: Mapping[str, str] = {
    "the process crashed": "crash",
    "it took down": "crash",
    "it took more than": "crash",
    "the process left": "crash",
    "no end within": "timeout",
    "it stopped answering": "timeout",
}


def _told(finding: Finding) -> Finding:
    if finding.outcome != "inconclusive":
        return finding
    ended = (out for start, out in _ENDS.items() if finding.message.startswith(start))
    return Finding(next(ended, "inconclusive"), finding.message)
