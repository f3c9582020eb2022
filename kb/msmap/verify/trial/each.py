"""Samples of a name on candidates, in a process of their own: each counts, whatever others gave.

The variants of such a job are the runs; there is no check that they are variants of.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from msmap.probed import aspects
from msmap.verify.plan.job import LIKE, RAISES, Job
from msmap.verify.trial import compare, shown, trial, unwritten
from msmap.verify.trial.results import Leaf, leaves
from msmap.verify.trial.side import Side
from msmap.verify.trial.trial import Stopped, Trial
from msmap.vocabulary import NOTHING, UNSTEADY

_GRADIENT = re.compile(r"(train |eval )?gradient: ")
_LONGEST = 200
# An argument that isn't taken is refused anew each time; what fails inside may be kept.
_KEPT = "RuntimeError"


def parts(job: Job, skip: frozenset[str]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The runs of a job by their names, after a part that does nothing."""
    if "" not in skip:
        yield "", lambda: {"outcome": "verified"}
    raised: set[str] = set()
    for run in job.variants:
        if run["name"] not in skip:
            yield run["name"], partial(_in_turn, job.variant(run), raised)


def _in_turn(job: Job, raised: set[str]) -> dict[str, Any]:
    """What a run shows; ``raised`` are the errors of those before it in this child.

    A gradient that differs is doubtful: after a first softmax along one value those of all later
    ones do.
    """
    found = one(job)
    if found["outcome"] == "gradient_differs":
        return {**found, "doubtful": True}
    return once_more(found, raised)


def once_more(found: dict[str, Any], raised: set[str]) -> dict[str, Any]:
    """What was found, doubtful if it is an error that came before in this child.

    After some errors (``Maximum``, of nothing) the next call of the same operator may raise that
    same one, whatever it is given: word for word again, it is doubtful. ``raised`` are the errors
    so far; this one is added.
    """
    if found["outcome"] != "raises" or not found["message"].startswith(_KEPT):
        return found
    again = found["message"] in raised
    raised.add(found["message"])
    return {**found, "doubtful": again}


def one(job: Job) -> dict[str, Any]:
    """What a run shows, as fields of a finding; its outcome is one of ``PROBE_OUTCOMES``.

    Besides, it is ``torch`` where PyTorch itself raised, and what agreement amounts to: ``agrees``,
    or ``forward`` without gradients.
    """
    try:
        if job.expect == RAISES:
            return _raises(job)
        if job.expect == LIKE:
            return _like(job)
        return _concluded(job, trial.run(job))
    except Stopped as stopped:
        return _stopped(stopped)


def _stopped(stopped: Stopped) -> dict[str, Any]:
    outcome = {"torch": "torch", "mindspore": "raises", "state": "raises"}
    return {"outcome": outcome.get(stopped.cause, "no_kernel"), "message": stopped.message}


def _raises(job: Job) -> dict[str, Any]:
    """Whether MindSpore raises where PyTorch does."""
    _, side = trial.sides(job)
    trial.seed()
    try:
        side.prepare(side.tensors())
        gave = trial.settled(side.run(side.tensors()))
    except Exception:
        return {"outcome": "agrees"}
    return {"outcome": "accepts", "mindspore_gave": shown.one(gave)}


def _like(job: Job) -> dict[str, Any]:
    """Whether results that are random have one structure, shape and dtype."""
    gave = []
    for name, side in zip(("torch", "mindspore"), trial.sides(job), strict=True):
        trial.seed()
        gave.append(trial.guard(name, partial(_forms, side)))
    left, right = gave
    if left == right:
        return {"outcome": "forward"}
    message = "; ".join(f"{a} and {b}" for a, b in zip(left, right, strict=False) if a != b)
    return {"outcome": "differs", "message": (message or "structure")[:_LONGEST]}


def _forms(side: Side) -> list[str]:
    side.prepare(side.tensors())
    return [_form(leaf) for _, leaf in leaves(side.run(side.tensors()))]


def _form(leaf: Leaf) -> str:
    shape = getattr(leaf.value, "shape", None)
    return leaf.dtype if shape is None else f"{leaf.dtype}{list(shape)}"


def _concluded(job: Job, done: Trial) -> dict[str, Any]:
    # A layer is random in one of its modes, which says nothing of the other.
    found = [text for text in done.found.differences if not compare.undecided(text)]
    forward = [text for text in found if not _GRADIENT.match(text)]
    both = {"torch_gave": done.torch_gave, "mindspore_gave": done.mindspore_gave}
    if forward and unwritten.empty(job):
        # What is told of nothing is its form: the numbers may be memory that nobody wrote to.
        form = [text for text in forward if "shape" in text or "dtype" in text]
        return {"outcome": "differs", "message": "; ".join(form)[:_LONGEST] or NOTHING}
    if forward and "values" in forward[0] and not unwritten.again(job, done):
        return {"outcome": "differs", "message": UNSTEADY}
    if forward:
        return {"outcome": "differs", "message": _said(forward), **both}
    if done.error:
        return {"outcome": "gradient_raises", "message": done.error[:_LONGEST], "shaken": True}
    kernel = [text for text in done.gradients if text.startswith("no kernel")]
    if kernel:
        return {"outcome": "gradient_raises", "message": kernel[0][:_LONGEST], "shaken": True}
    if found:
        said = _said([_GRADIENT.sub("", text) for text in found])
        return {"outcome": "gradient_differs", "message": said}
    if done.afterwards.differences:
        return {"outcome": "in_place", "message": "; ".join(done.afterwards.differences)[:_LONGEST]}
    return {"outcome": "agrees" if done.gradient == "agrees" else "forward"}


def _said(differences: Sequence[str]) -> str:
    """What differs, as one message; of more than it holds, some of each way, what rounds last.

    Cut off at its length it would hide what is wrong behind what is rounded.
    """
    whole = "; ".join(differences)
    if len(whole) <= _LONGEST:
        return whole
    parts = list(dict.fromkeys(differences))
    first: dict[frozenset[str], str] = {}
    for part in parts:
        first.setdefault(aspects(part), part)
    ways = sorted(first.values(), key=lambda part: "by less than" in part)
    kept: list[str] = []
    for part in dict.fromkeys((*ways, *parts)):
        if len("; ".join((*kept, part))) <= _LONGEST:
            kept.append(part)
    return "; ".join(part for part in parts if part in kept) or whole[:_LONGEST]
