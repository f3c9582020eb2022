"""What came out of samples, counted and ranked: the probe of a name."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from msmap.model import Finding, Target
from msmap.probe.bench import Bench, Prepared
from msmap.probe.runs import AGREEING, VOID, Findings, near
from msmap.probe.sample import Sample, Sampling
from msmap.probed import DETAILED, Candidate, Cell, Difference, Probe, Tally, aspects
from msmap.vocabulary import FOUND, PROBE_OUTCOMES, RELATIONS

# Groups of differences that are kept of the best candidate, and of the two behind it.
_GROUPS = (10, 3, 3)
# Copies of other libraries, behind MindSpore's own operators at equal agreement.
_COPIES = ("mindspore.numpy.", "mindspore.scipy.")
_QUIET = ("agrees", "forward", *VOID)
_GAPS = {"torch": "refused", "signature": "signature"}
_NUMBER = re.compile(r"(?<![\w.])-?\d+(\.\d+)?(e[-+]?\d+)?(?![\w.])")
_DTYPE = re.compile(r"\b(mindspore\.)?(bool_?|u?int\d+|b?float\d+|complex\d+)\b", re.IGNORECASE)
_PLACE = re.compile(r" at \[[^;]*|\([\d, ]*\)|\[[\d, -]*\]")
# Of an error so much, without its figures and dtypes, is what it has in common with others.
_ALIKE = 60


def probe(
    bench: Bench, prepared: Prepared, sampling: Sampling, found: Findings, hash: str
) -> Probe:
    """The probe of a name whose samples were run."""
    samples = sampling.samples
    # One of which PyTorch gives no answer after all says nothing of anybody.
    void = {sample: f.outcome for (_, sample), f in found.items() if f.outcome in VOID}
    samples = tuple(s for s in samples if s.id not in void)
    gaps = Counter(sampling.gaps) + Counter(_GAPS[outcome] for outcome in void.values())
    counted = [_count(key, prepared, samples, found) for key in prepared.targets]
    most = max(c.values.tried for c in counted)
    counted.sort(key=lambda c: (c.values.tried < most, *_rank(c, prepared)))
    candidates = tuple(
        _candidate(count, place, bench, prepared, samples, found)
        for place, count in enumerate(counted)
    )
    origins = Counter(sample.origin for sample in samples)
    return Probe(
        prepared.name, hash, _reason(found), dict(sorted(origins.items())),
        dict(sorted(gaps.items())), candidates,
    )  # fmt: skip


def _reason(found: Findings) -> str:
    """Why nothing was run after all; "" if something was."""
    outcomes = {finding.outcome for finding in found.values()} - {*VOID}
    if outcomes - {"refused"}:
        return ""
    return "no_port" if outcomes else "no_samples"


@dataclass(frozen=True, slots=True)
class _Counted:
    """The tallies of one candidate."""

    key: str
    values: Tally
    gradients: Tally
    errors: Tally
    dtypes: dict[str, Tally]
    kinds: dict[str, Tally]
    effects: int
    near: int


def _count(key: str, prepared: Prepared, samples: Sequence[Sample], found: Findings) -> _Counted:
    values, gradients, errors, effects, close = Tally(), Tally(), Tally(), 0, 0
    dtypes: dict[str, Tally] = {}
    kinds: dict[str, Tally] = {}
    for sample in samples:
        finding = found.get((key, sample.id))
        if finding is None:
            continue
        outcome = finding.outcome
        one = Tally(int(outcome in AGREEING), 1)
        if sample.raises:
            errors += Tally(int(outcome != "accepts"), 1)
            continue
        values += one
        dtypes[sample.dtype] = dtypes.get(sample.dtype, Tally()) + one
        for kind in sample.kinds:
            kinds[kind] = kinds.get(kind, Tally()) + one
        if outcome in ("agrees", "gradient_differs", "gradient_raises"):
            gradients += Tally(int(outcome == "agrees"), 1)
        effects += outcome == "in_place"
        close += near(finding)
    return _Counted(
        key, values, gradients, errors, dict(sorted(dtypes.items())), dict(sorted(kinds.items())),
        effects, close,
    )  # fmt: skip


def _rank(count: _Counted, prepared: Prepared) -> tuple[float, ...]:
    """Values, dtypes, effects and gradients that agree; then the form, the room, devices, likeness.

    Candidates that a handful was enough for come behind all of those that were tried on.
    """
    target = _target(prepared, count.key)
    order = list(prepared.targets)
    idea = prepared.ideas[count.key]
    return (
        -count.values.share, -count.near, count.effects, -count.gradients.share,
        _estranged(prepared, target), (target.api or "").startswith(_COPIES),
        -len(target.runs_on), _unlike(target),
        list(FOUND).index(idea.found), order.index(count.key),
    )  # fmt: skip


def _target(prepared: Prepared, key: str) -> Target:
    assert prepared.record is not None, "there are candidates"
    return next(t for t in prepared.record.targets if t.key == key)


def _estranged(prepared: Prepared, target: Target) -> int:
    """How far it is of another form: a layer made for each call, or what changes its input only
    on one side.
    """
    assert prepared.record is not None, "there are candidates"
    layer = target.kind == "class" and prepared.record.kind != "class"
    changes = [name.endswith("_") for name in (prepared.name, target.api or prepared.name)]
    return layer + (changes[0] != changes[1])


def _unlike(target: Target) -> int:
    """How many parameters aren't PyTorch's own."""
    return sum(not RELATIONS[p.relation].own for p in (*target.parameters, *target.inputs))


def _candidate(
    count: _Counted,
    place: int,
    bench: Bench,
    prepared: Prepared,
    samples: Sequence[Sample],
    found: Findings,
) -> Candidate:
    own = prepared.ideas[count.key].found == "record"
    whole = own or place < DETAILED
    told = whole or count.key in prepared.paired
    ways = groups(count.key, samples, found) if told else []
    if not own:
        ways = ways[: _GROUPS[min(place, DETAILED - 1)]]
    return Candidate(
        target=prepared.kept(count.key, whole=whole),
        found=prepared.ideas[count.key].found,
        values=count.values,
        gradients=count.gradients,
        errors=count.errors,
        dtypes=count.dtypes if whole else {},
        kinds=count.kinds if whole else {},
        differences=tuple(
            difference(count.key, members, bench, prepared, found) for members in ways
        ),
    )


def groups(key: str, samples: Sequence[Sample], found: Findings) -> list[list[Sample]]:
    """The samples that differ, those together that do so in one way: what is worst, then most
    frequent, first.
    """
    alike: dict[tuple[str, str], list[Sample]] = {}
    for sample in samples:
        finding = found.get((key, sample.id))
        if finding is not None and _tells(sample, finding):
            alike.setdefault((finding.outcome, way(finding)), []).append(sample)
    order = list(PROBE_OUTCOMES)

    def rank(group: tuple[tuple[str, str], list[Sample]]) -> tuple[int, int, str]:
        (outcome, _), members = group
        return -order.index(outcome), -len(members), found[key, _shortest(members).id].message

    return [members for _, members in sorted(alike.items(), key=rank)]


def _tells(sample: Sample, finding: Finding) -> bool:
    if sample.raises:
        return finding.outcome in ("accepts", "crash", "timeout")
    return finding.outcome not in _QUIET


def way(finding: Finding) -> str:
    """What differences of one group have in common."""
    if finding.outcome == "in_place":
        return ""
    if finding.outcome in ("differs", "gradient_differs"):
        found = aspects(finding.message)
        # Another dtype has other values.
        return next((a for a in sorted(found) if a.startswith("dtype")), " ".join(sorted(found)))
    plain = _NUMBER.sub("#", _PLACE.sub("", _DTYPE.sub("#", finding.message)))
    return plain[:_ALIKE]


def difference(
    key: str, members: list[Sample], bench: Bench, prepared: Prepared, found: Findings
) -> Difference:
    """Samples that differ in one way, shown by the shortest of them."""
    shortest = _shortest(members)
    finding = found[key, shortest.id]
    own = prepared.ideas[key].found == "record"
    return Difference(
        outcome=finding.outcome,
        count=len(members),
        message=finding.message,
        dtypes=tuple(sorted({s.dtype for s in members if s.dtype})),
        kinds=tuple(sorted({kind for s in members for kind in s.kinds})),
        sample=shortest.id,
        torch=shortest.torch,
        mindspore=bench.port(prepared, shortest, key).code or "",
        inputs=shortest.inputs,
        torch_gave=finding.torch_gave,
        mindspore_gave=finding.mindspore_gave,
        cells=_cells(key, members, bench, prepared) if own else (),
    )


def _cells(
    key: str, members: Iterable[Sample], bench: Bench, prepared: Prepared
) -> tuple[Cell, ...]:
    """The samples of a group that the record carries to this target, those alike counted."""
    carried = [s for s in members if bench.own(s) == key]
    counts = Counter((s.dtype, s.kinds, bench.given(prepared, s)) for s in carried)
    return tuple(Cell(*cell, count) for cell, count in sorted(counts.items()))


def _shortest(members: Sequence[Sample]) -> Sample:
    return min(members, key=_length)


def _length(sample: Sample) -> tuple[int, int, str]:
    """Plain inputs of the usual dtype first, then those that take least to write."""
    text = len(sample.torch) + len(json.dumps(sample.inputs))
    return sample.dtype not in ("float32", "int64", "bool", ""), text, sample.id
