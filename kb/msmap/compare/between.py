"""What stands between two layers: the function at which numbers part, and the first nan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from msmap.compare.terms import FINE, Sizes
from msmap.recording.model import Call, Recording, Step, Tensor

if TYPE_CHECKING:
    from msmap.compare.matter import Matter


@dataclass(slots=True)
class Where:
    """A place: what kind of sentence it gets, what stands there, and the names on both sides."""

    kind: str
    what: str = ""
    told: tuple[Any, ...] = ()
    sizes: Sizes | None = None
    names: tuple[str, str] | None = None
    path: str | None = None


def narrow(judge: Matter, left: Step, right: Step, one: int, other: int) -> Where:
    """Where the outputs of two calls come to differ, as nearly as it was recorded."""
    a, b = left.calls[one], right.calls[other]
    inputs = judge.tensors(left, right, a.inputs, b.inputs)
    whole = any(c.inside == one for c in left.calls)
    if inputs.status in FINE:
        if not whole:
            outputs = judge.tensors(left, right, a.outputs, b.outputs)
            return Where("shape" if outputs.status == "shape" else "layer")
        found = _function(judge, left, right, one, other, len(left.calls))
        return found or Where("inside")
    found = _function(judge, left, right, a.inside, b.inside, one)
    return found or Where("before", sizes=inputs)


def ahead(judge: Matter, left: Step, right: Step) -> Where:
    """The function outside of all layers at which the loss comes to differ."""
    found = _function(judge, left, right, None, None, len(left.calls))
    if found is None:
        return Where("")
    return Where("loss_function", found.what, (found.what,), found.sizes, found.names)


def behind(judge: Matter, left: Step, right: Step, one: int, other: int) -> Where:
    """The layer whose outputs' gradients agree, and whose inputs' gradients don't."""
    made = {at for _, at in left.calls[one].outputs}
    for call in left.calls:
        if call.layer and made & {at for _, at in call.inputs}:
            # The nearest that uses what differs is what made the difference.
            inner = [
                c for c in left.calls
                if c.layer and made & {at for _, at in c.inputs} and not judge.has_inside(left, c)
            ]  # fmt: skip
            user = inner[0] if inner else call
            return Where("", names=(judge.base(user), judge.partner(user)), path=user.path)
    return Where("")


def _function(
    judge: Matter, left: Step, right: Step, inside: int | None, there: int | None, end: int
) -> Where | None:
    """The first function of PyTorch's, in a call and before another, that nothing agrees with."""
    ones = [c for n, c in enumerate(left.calls) if not c.layer and c.inside == inside and n < end]
    others = [c for c in right.calls if not c.layer and c.inside == there]
    pool = {at for c in right.calls for _, at in (*c.inputs, *c.outputs)}
    used: set[int] = set()
    for call in ones:
        outputs = [at for _, at in call.outputs]
        if not outputs:
            continue
        known = [_partner(judge, left, right, at, pool) for at in outputs]
        if None not in known:
            used |= {at for at in known if at is not None}
            continue
        mate = _mate(judge, left, right, call, others, pool)
        name = "" if mate is None else mate.name
        sizes = (
            None if mate is None
            else judge.tensors(left, right, call.outputs, mate.outputs)
        )  # fmt: skip
        said = f"{call.name} ({name})" if name else call.name
        return Where("function", call.name, (said,), sizes, (call.name, name))
    return None


def is_function(judge: Matter, steps: list[tuple[Step, Step]], path: str, torch: bool) -> bool:
    """Whether a layer without a partner does what a function does on the other side.

    Each of its calls gives, and makes, what a function there gives; one that gives back what it
    got, such as a dropout that is off, is none. The first step that calls it tells: in later ones
    parameters are a little off.
    """
    layer = (judge.layers if torch else judge.others).get(path)
    # What stands outside of the model, such as a loss, is known by its calls alone.
    if layer is None and not path.startswith("("):
        return False
    if layer is not None and not judge.states.has(path, layer.state, torch):
        return False
    told = (gives(judge, left, right, path, torch) for left, right in steps)
    return next((one for one in told if one is not None), False)


def gives(judge: Matter, left: Step, right: Step, path: str, torch: bool) -> bool | None:
    """Whether functions of the other side give what a layer's calls in a step do; None if none."""
    mine, there = (left, right) if torch else (right, left)
    pool = {at for c in there.calls if not c.layer for _, at in c.outputs}
    found = None
    for call in (c for c in mine.calls if c.layer and c.path == path):
        if {at for _, at in call.outputs} & {at for _, at in call.inputs}:
            return call.name.endswith("Identity")
        found = all(
            _partner(judge, left, right, at, pool) is not None
            if torch
            else any(_alike(judge, left, right, one, at) for one in sorted(pool))
            for _, at in call.outputs
        )
        if not found:
            return False
    return found


def _alike(judge: Matter, left: Step, right: Step, one: int, other: int) -> bool:
    sizes = [int(np.prod(t.shape)) for t in (left.tensors[one], right.tensors[other])]
    return sizes[0] == sizes[1] and judge.quiet_pair(left, right, one, other).status == "agrees"


def _partner(judge: Matter, left: Step, right: Step, at: int, pool: set[int]) -> int | None:
    """A tensor of MindSpore's that agrees with one of PyTorch's."""
    return next((other for other in sorted(pool) if _alike(judge, left, right, at, other)), None)


def _mate(
    judge: Matter, left: Step, right: Step, call: Call, others: list[Call], pool: set[int]
) -> Call | None:
    """The function of MindSpore's that stands in a function's place: fed alike, or named alike."""
    given = [_partner(judge, left, right, at, pool) for _, at in call.inputs]
    fed = [c for c in others if {at for _, at in c.inputs} & set(given)]
    short = call.name.rpartition(".")[2].strip("_")
    named = [c for c in fed or others if c.name.rpartition(".")[2].strip("_") == short]
    return next(iter(named or fed), None)


def first_broken(recording: Recording, step: Step) -> str:
    """The first call whose outputs aren't finite though its inputs are; "" if there is none."""
    bad: dict[int, bool] = {}

    def broken(at: int) -> bool:
        if at not in bad:
            bad[at] = _is_broken(recording, step.tensors[at])
        return bad[at]

    for number, call in sorted(enumerate(step.calls), key=lambda pair: pair[1].ended):
        if any(broken(at) for _, at in call.outputs) and not any(
            broken(at) for _, at in call.inputs
        ):
            name = call.path or call.name
            return f"step {step.number}, {name} ({call.name}), call {number}"
    return ""


def is_all(recording: Recording, tensor: Tensor, value: float) -> bool:
    """Whether all values of a tensor are the same one."""
    if tensor.data:
        return bool((recording.value(tensor) == value).all())
    told = tensor.statistics or {}
    return told.get("max") == told.get("min") == value and not told.get("broken")


def _is_broken(recording: Recording, tensor: Tensor) -> bool:
    if tensor.data:
        value = recording.value(tensor)
        return value.dtype.kind == "f" and bool(np.isnan(value).any() or np.isinf(value).all())
    return bool(tensor.statistics and tensor.statistics.get("broken"))
