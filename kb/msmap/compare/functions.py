"""Functions called on both sides of a pair of layers, and arguments of theirs that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msmap.compare.terms import FINE, Argument
from msmap.recording.model import Call, Step

if TYPE_CHECKING:
    from msmap.compare.matter import Matter

Differing = tuple[Call | None, Call, Call, tuple[Argument, ...]]


def differing(judge: Matter, left: Step, right: Step) -> Iterator[Differing]:
    """Each call of a function whose partner isn't given what the record makes of its arguments.

    With it comes the layer's call that it stands in. One whose outputs agree is left out, since
    other words may say the same; but for dropout, whose rate nothing shows while it is off.
    """
    parents: list[tuple[int | None, int | None]] = [(None, None), *judge.called(left, right)]
    for one, other in parents:
        around = None if one is None else left.calls[one]
        for a, b in _paired(judge, _inside(left, one), _inside(right, other)):
            outputs = zip(a.outputs, b.outputs, strict=False)
            agree = all(
                judge.quiet_pair(left, right, at, there).status in FINE
                for (_, at), (_, there) in outputs
            )
            if agree and not _off(a):
                continue
            found = judge.facts.called(a, b, _rank(left, a))
            if found:
                yield around, a, b, found


def _inside(step: Step, parent: int | None) -> list[Call]:
    return [call for call in step.calls if not call.layer and call.inside == parent]


def _paired(judge: Matter, mine: list[Call], there: list[Call]) -> Iterator[tuple[Call, Call]]:
    """The calls of one operation in their order, where both sides have as many."""
    groups: dict[str, list[Call]] = {}
    for call in mine:
        groups.setdefault(short(call.name), []).append(call)
    for name, calls in groups.items():
        names = {n for call in calls for n in judge.facts.counterparts(call.name)}
        others = [call for call in there if call.name in names or short(call.name) == name]
        if len(others) == len(calls):
            yield from zip(calls, others, strict=True)


def short(name: str) -> str:
    """The operation that a name is of, such as ``softmax`` of ``torch.Tensor.softmax_``."""
    return name.rpartition(".")[2].strip("_")


def drops(call: Call) -> bool:
    """Whether a call is of dropout."""
    return "dropout" in short(call.name)


def _off(call: Call) -> bool:
    """Whether a call drops out in principle, and gave back what it got."""
    return drops(call) and not {at for _, at in call.outputs}.isdisjoint(
        at for _, at in call.inputs
    )


def _rank(step: Step, call: Call) -> int:
    """How many axes the first tensor has that a call is given."""
    return len(step.tensors[call.inputs[0][1]].shape) if call.inputs else 0
