"""Everything that a name could be tried with, from all origins, before PyTorch is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msmap.probe.sample import Sample
from msmap.probe.samples import kinds, operators
from msmap.probe.samples.call import Call, Gap, Known
from msmap.probe.samples.writing import write

Origin = Callable[[Known], Iterator[Call | Gap]]
_ORIGINS: tuple[Origin, ...] = (operators.calls,)


def gather(known: Known) -> tuple[list[Sample], Counter[str]]:
    """The samples of a name as they are written, and why others can't be, counted by reason."""
    gaps: Counter[str] = Counter()
    found: dict[tuple[str, str], Sample] = {}
    for origin in _ORIGINS:
        for sample in _written(known, origin(known), gaps):
            found.setdefault((sample.torch, repr(sample.inputs)), sample)
    return list(found.values()), gaps


def _written(known: Known, calls: Iterable[Call | Gap], gaps: Counter[str]) -> Iterator[Sample]:
    for call in calls:
        if isinstance(call, Gap):
            gaps[call.reason] += 1
            continue
        try:
            code, inputs = write(call, known)
        except Gap as gap:
            gaps[gap.reason] += 1
            continue
        yield Sample(
            name=known.name,
            id=call.label,
            origin=call.origin,
            torch=code,
            inputs=inputs,
            dtype=next((str(spec["dtype"]) for spec in inputs.values()), call.dtype),
            kinds=kinds.of(code, inputs, known),
            raises=call.raises,
        )
