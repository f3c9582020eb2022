"""Everything that a name could be tried with, from all origins, before PyTorch is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msmap.probe.sample import Sample
from msmap.probe.samples import (
    choose,
    edges,
    examples,
    forms,
    kinds,
    layers,
    made,
    operators,
    optimizers,
    shapes,
    turned,
)
from msmap.probe.samples.call import Call, Gap, Known
from msmap.probe.samples.writing import write

Origin = Callable[[Known, int], Iterator[Call | Gap]]
_PYTORCH: tuple[Origin, ...] = (operators.calls, layers.calls, optimizers.calls)
# With fewer calls of PyTorch's own in their first dtype, others are made from the signature.
_ENOUGH = 4
# How many calls are written in other forms, and how many samples get other inputs.
_FORMS = 12
_EDGED = 5


class Pool:
    """The samples of a name as they are written, and why others can't be, counted by reason.

    ``own`` are the ids of those with which PyTorch tests itself, just so; ``is_whole`` says that
    what is made from the signature is among them.
    """

    def __init__(self, known: Known, limit: int, told: str = "") -> None:
        self.known, self._told = known, told
        self.gaps: Counter[str] = Counter()
        self._found: dict[tuple[str, str], Sample] = {}
        most = max(operators.USUAL, limit * 2)
        calls = [call for origin in _PYTORCH for call in origin(known, most)]
        self._add(calls)
        self.own = frozenset(sample.id for sample in self.samples)
        enough = len(self.main()) >= _ENOUGH
        self._add(examples.calls(known))
        more = [] if enough else list(made.calls(known))
        self._add(more)
        self._add(_in_other_forms(calls, known))
        self._add(shapes.calls(known, [*calls, *more]))
        self._change()
        self.is_whole = not enough

    def turned(self) -> list[Sample]:
        """What examples of MindSpore's add to all that there is by then."""
        before = len(self._found)
        self._add(turned.calls(self.known, self._told))
        return self.samples[before:]

    def complete(self) -> None:
        """Add what is made from the signature, which was left out because there seemed enough."""
        self._add(made.calls(self.known))
        self._change()
        self.is_whole = True

    def _change(self) -> None:
        """Add samples of those that there are with other inputs."""
        bases = choose.few(self.main(), _EDGED)
        typed = [s for s in self.main() if s.origin in ("docstring", "made")]
        self._keep(other for base in bases for other in edges.others(base, self.known))
        bases = choose.few(typed, _EDGED)
        self._keep(other for base in bases for other in edges.dtypes(base, self.known))

    @property
    def samples(self) -> list[Sample]:
        """All of them, those of PyTorch first."""
        return list(self._found.values())

    def main(self) -> list[Sample]:
        """Those in the first dtype that don't raise."""
        found = [sample for sample in self.samples if not sample.raises]
        first = next((sample.dtype for sample in found if sample.dtype), "")
        return [sample for sample in found if sample.dtype == first]

    def _add(self, calls: Iterable[Call | Gap]) -> None:
        for call in calls:
            try:
                if isinstance(call, Gap):
                    raise call
                code, inputs = write(call, self.known)
            except Gap as gap:
                self.gaps[gap.reason] += 1
                continue
            except Exception:  # a value unlike all that was met so far mustn't cost the others
                self.gaps["object"] += 1
                continue
            sample = Sample(
                name=self.known.name,
                id=call.label,
                origin=call.origin,
                torch=code,
                inputs=inputs,
                dtype=next((str(spec["dtype"]) for spec in inputs.values()), call.dtype),
                kinds=kinds.of(code, inputs, self.known),
                raises=call.raises,
            )
            self._keep([sample])

    def _keep(self, samples: Iterable[Sample]) -> None:
        for sample in samples:
            self._found.setdefault((sample.torch, repr(sample.inputs)), sample)


def _in_other_forms(calls: Iterable[Call | Gap], known: Known) -> Iterator[Call]:
    """Calls of the first dtype in other forms, one of each set of arguments."""
    seen: set[object] = set()
    first = ""
    for call in calls:
        if isinstance(call, Gap) or call.raises:
            continue
        first = first or call.dtype
        shape = (len(call.args), tuple(call.kwargs))
        if call.dtype == first and shape not in seen and len(seen) < _FORMS:
            seen.add(shape)
            yield from forms.others(call, known)
