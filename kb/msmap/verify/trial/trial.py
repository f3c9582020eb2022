"""Both sides of a check run and compared: results, gradients, state, and what became of inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from msmap.verify.plan.job import Job
from msmap.verify.trial import compare, inputs, reasons, shown, state
from msmap.verify.trial.compare import Comparison
from msmap.verify.trial.mindspore_side import MindSporeSide
from msmap.verify.trial.results import leaves
from msmap.verify.trial.torch_side import TorchSide
from msmap.weights import mapping

SEED = 20


class Stopped(Exception):
    """A trial is over before anything could be compared; ``cause`` says who stopped it.

    It is torch, mindspore, state, or a reason for which nothing can run here.
    """

    def __init__(self, cause: str, message: str) -> None:
        super().__init__(message)
        self.cause, self.message = cause, message


@dataclass(slots=True)
class Trial:
    """What differs, what each side gave, and a word on the gradients.

    ``error`` is what MindSpore raised when it made gradients.
    """

    found: Comparison = field(default_factory=Comparison)
    afterwards: Comparison = field(default_factory=Comparison)
    changed: bool = False
    torch_gave: str = ""
    mindspore_gave: str = ""
    gradients: list[str] = field(default_factory=list)
    error: str = ""

    @property
    def gradient(self) -> str:
        """One word for all modes: the worst that any of them said."""
        for word in self.gradients:
            if word not in ("agrees", "none", "not compared"):
                return word
        if "agrees" in self.gradients:
            return "agrees"
        return "" if "not compared" in self.gradients else "none"


def seed(start: int = SEED) -> None:
    """Start every random stream at the same place."""
    import mindspore
    import torch

    # torch.manual_seed takes three stack traces more, for devices that no check runs on.
    torch.default_generator.manual_seed(start)
    mindspore.set_seed(start)
    np.random.seed(start)


def guard(side: str, action: Callable[[], Any]) -> Any:
    """What the action gives.

    Raises:
        Stopped: it raised.
    """
    try:
        return action()
    except Exception as error:
        raise Stopped(reasons.of(error) or side, reasons.brief(error)) from None


def settled(value: Any) -> Any:
    """The value, after every tensor in it was read: MindSpore reports errors late."""
    leaves(value)
    return value


def sides(job: Job) -> tuple[TorchSide, MindSporeSide]:
    """Both sides of a job, ready to run."""
    dtypes = {name: str(spec["dtype"]) for name, spec in job.inputs.items()}
    arrays = {name: inputs.array(name, spec) for name, spec in job.inputs.items()}
    strided = frozenset(n for n, s in job.inputs.items() if s.get("edge") == "non-contiguous")
    made = (
        TorchSide(job.torch, arrays, dtypes, strided, cast=job.derived),
        MindSporeSide(job.mindspore, arrays, dtypes, strided, job.graph, cast=job.derived),
    )
    for side in made:
        side.ranks = job.ranks
    return made


def run(job: Job) -> Trial:
    """Both sides compared, in every mode of a layer.

    Raises:
        Stopped: a side raised, or a layer's state doesn't fit.
    """
    torch_side, mindspore_side = sides(job)
    seed()
    guard("torch", lambda: torch_side.prepare(torch_side.tensors()))
    # Nobody casts a layer that holds nothing in PyTorch: what MindSpore's holds stays as it is.
    mindspore_side.casts = mindspore_side.casts and torch_side.has_floats()
    seed()
    guard("mindspore", lambda: mindspore_side.prepare(mindspore_side.tensors()))
    layered = torch_side.layer is not None and mindspore_side.layer is not None
    alike = job.expect == "same"
    trial = Trial()
    if layered and alike:
        try:
            state.copy(job.state, torch_side.layer, mindspore_side.layer)
        except ValueError as error:
            raise Stopped("state", f"state: {error}") from None
    modes = job.modes or (("train", "eval") if layered and alike else ("",))
    # Compiling takes a hundred times as long as running.
    for mode in modes[:1] if job.graph else modes:
        if mode:
            torch_side.set_mode(mode == "train")
            mindspore_side.set_mode(mode == "train")
        trial.gradients.append(_forward(job, torch_side, mindspore_side, mode, trial))
    return trial


def _forward(
    job: Job, torch_side: TorchSide, mindspore_side: MindSporeSide, mode: str, trial: Trial
) -> str:
    """Compare results, then gradients; what was found goes into the trial."""
    seed()
    left_inputs = torch_side.tensors()
    left = guard("torch", lambda: torch_side.run(left_inputs))
    seed()
    right_inputs = guard("mindspore", mindspore_side.tensors)
    right = guard("mindspore", lambda: mindspore_side.run(right_inputs))
    guard("mindspore", lambda: settled(right))
    trial.torch_gave, trial.mindspore_gave = shown.both(left, right)
    # A value near the border of two figures is told as the check tells it.
    if "torch" in job.gives and shown.fits(left, job.gives["torch"]):
        trial.torch_gave = job.gives["torch"]
    if "mindspore" in job.gives and shown.fits(right, job.gives["mindspore"]):
        trial.mindspore_gave = job.gives["mindspore"]
    if job.expect == "same-distribution":
        result = compare.distribution(left, right)
    elif job.expect == "same":
        result = _compared(job, torch_side, (left, right), lambda exact: exact.run(exact.tensors()))
    else:
        result = compare.same(left, right, job.rtol, job.atol)
    if job.derived and result.differences and _by_chance(torch_side, left):
        result = compare.distribution(left, right)
        job = replace(job, expect="same-distribution")
    _merge(trial.found, result, mode)
    if job.expect == "same":
        _afterwards(job, torch_side, mindspore_side, (left_inputs, right_inputs), trial)
        if mode and torch_side.layer is not None:
            after = state.compared(job, torch_side.layer, mindspore_side.layer)
            _merge(trial.found, after, f"{mode}: state")
    if not job.gradient or job.expect == "same-distribution" or result.differences:
        return "not compared"
    return _gradients(job, torch_side, mindspore_side, mode, trial, left)


def _by_chance(torch_side: TorchSide, result: Any) -> bool:
    """Whether PyTorch gives something else with another seed."""
    seed(SEED + 1)
    again = guard("torch", lambda: torch_side.run(torch_side.tensors()))
    return bool(compare.same(result, again).differences)


def _compared(
    job: Job,
    torch_side: TorchSide,
    results: tuple[Any, Any],
    exactly: Callable[[TorchSide], Any],
    scale: float = 0.0,
) -> Comparison:
    """Both results compared; floats that differ again, by what PyTorch gives in float64.

    ``exactly`` gives PyTorch's result on a side in float64, ``scale`` is as of ``compare.same``.
    """
    found = compare.same(*results, job.rtol, job.atol)
    if not found.numeric:
        return found
    return compare.same(*results, job.rtol, job.atol, _exact(torch_side, exactly), scale)


def _exact(torch_side: TorchSide, again: Callable[[TorchSide], Any]) -> Any:
    """What PyTorch gives in float64, or None."""
    try:
        with torch_side.doubled() as exact:
            seed()
            return again(exact)
    except Exception:
        # A dtype written in the code may not go together with float64: then nothing is known.
        return None


def _afterwards(
    job: Job,
    torch_side: TorchSide,
    mindspore_side: MindSporeSide,
    tensors: tuple[dict[str, Any], dict[str, Any]],
    trial: Trial,
) -> None:
    """Whether the call changed its inputs, and the same way on both sides, seen through views."""
    for name, array in torch_side.arrays.items():
        left, right = tensors[0][name], tensors[1][name]
        before = leaves(torch_side.tensor(name, array))[0][1].value
        ours = leaves(left)[0][1].value
        theirs = leaves(right)[0][1].value
        if all(np.array_equal(before, now, equal_nan=now.dtype.kind in "fc")
               for now in (ours, theirs)):  # fmt: skip
            continue
        trial.changed = True
        _merge(trial.afterwards, compare.same(left, right, job.rtol, job.atol), name)
        views = torch_side.views.get(name), mindspore_side.views.get(name)
        _merge(trial.afterwards, compare.same(*views, job.rtol, job.atol), f"a view of {name}")


def _merge(found: Comparison, more: Comparison, where: str) -> None:
    prefix = f"{where}: " if where else ""
    told = [prefix + text for text in more.differences]
    # Both modes of a layer mostly say the same of its inputs.
    found.differences += [text for text in told if text not in found.differences]
    found.detail = more.detail or found.detail


def _gradients(
    job: Job, torch_side: TorchSide, mindspore_side: MindSporeSide, mode: str, trial: Trial,
    value: Any,
) -> str:  # fmt: skip
    """Compare gradients of a result, PyTorch's ``value``; a word on them."""
    scale = compare.size(value)
    once = torch_side.made_of if torch_side.layer is not None else frozenset()
    wanted = [n for n, d in torch_side.dtypes.items() if "float" in d and n not in once]
    if not wanted and torch_side.layer is None:
        return "none"
    seed()
    try:
        left, left_weights = torch_side.gradients(wanted, SEED)
    except RuntimeError as error:
        return f"PyTorch has none: {reasons.brief(error)}"
    if not left and not left_weights:
        return "none"
    drawn = torch_side.drawn()
    seed()
    try:
        right, right_weights = mindspore_side.gradients(wanted, SEED)
        leaves([right, right_weights])
    except Exception as error:
        if reasons.of(error):
            return f"no kernel: {reasons.brief(error)}"
        trial.error = f"MindSpore's gradient raised {reasons.brief(error)}"
        return "error"
    result = _compared(
        job, torch_side, (left, right), lambda exact: exact.gradients(wanted, SEED)[0], scale
    )
    if left_weights:
        expected = mapping.mapped(job.state, left_weights)
        shared = {k: v for k, v in expected.items() if k in right_weights}
        lost = sorted(set(expected) - set(right_weights))
        theirs = {k: state.plain(right_weights[k]) for k in shared}

        def exactly(exact: TorchSide) -> Any:
            found = mapping.mapped(job.state, exact.gradients(wanted, SEED)[1])
            return {k: found[k] for k in shared}

        weights = _compared(job, torch_side, (shared, theirs), exactly, scale)
        _merge(result, weights, "parameters")
        result.differences += [f"parameter {k} is not trainable in MindSpore" for k in lost]
    # Where few elements are drawn both may have drawn the same once, and others the next time.
    if job.derived and result.differences and drawn and _by_chance(torch_side, value):
        return "not compared"
    _merge(trial.found, result, f"{mode} gradient" if mode else "gradient")
    return "differs" if result.differences else "agrees"
