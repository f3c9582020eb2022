"""One check and its variants, in a process of their own: what came out of each.

MindSpore's gradients may be wrong for good after one of them raised. An outcome that is
``shaken`` came with such an error; one that is ``doubtful`` is a difference, or the same error
again, that an error before it may explain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from msmap.verify.plan.job import EACH, Job
from msmap.verify.trial import each, reasons, shown, trial, unwritten
from msmap.verify.trial.trial import Stopped, Trial
from msmap.vocabulary import NOTHING, OUTCOMES, UNSTEADY, UNTESTABLE_REASONS

# Below this outcome of the check itself, its variants say nothing new.


def parts(job: Job, skip: frozenset[str]) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
    """The check, under the name "", then its variants, each with what runs it.

    No variant follows a check that fails.
    """
    import mindspore

    if not job.ranks:
        # What several do for each other at the same time shows only as users have it.
        mindspore.runtime.launch_blocking()
    # More would wait for work by asking for it again and again, on the cores of other checks.
    mindspore.set_context(runtime_num_threads=1)
    if job.expect == EACH:
        yield from each.parts(job, skip)
        return
    sound = "" in skip
    if not sound:
        done: dict[str, Any] = {}

        def base() -> dict[str, Any]:
            done.update(run(job))
            if job.is_varied and "in-place" in done:
                # Only this child can tell it: the part after this one must still be its own.
                done.pop("shaken", None)
            return {k: v for k, v in done.items() if k != "in-place"}

        yield "", base
        sound = "outcome" in done and OUTCOMES[done["outcome"]].agrees
        if job.is_varied and (found := done.get("in-place")):
            yield "in-place", lambda: found
    raised: set[str] = set()
    for variant in job.variants if sound else ():
        if variant["name"] not in skip:
            yield variant["name"], partial(_in_turn, job.variant(variant), raised)


def run(job: Job) -> dict[str, Any]:
    """The outcome of a check, as the fields of a line of evidence."""
    try:
        if job.expect == "torch-raises":
            return _torch_raises(job)
        if job.expect in ("raises", "crashes"):
            return _mindspore_raises(job)
        done = trial.run(job)
    except Stopped as stopped:
        return _stopped(stopped)
    told = "mindspore" in job.gives or not any("values" in t for t in done.found.differences)
    if job.expect == "differs" and not told and not unwritten.again(job, done):
        return {"outcome": "diverges_documented", "message": UNSTEADY}
    return _conclude(job, done)


def _in_turn(job: Job, raised: set[str]) -> dict[str, Any]:
    """What a variant shows; ``raised`` are the errors of those before it in this child."""
    return each.once_more(run_variant(job), raised)


def run_variant(job: Job) -> dict[str, Any]:
    """What a variant of a check shows, as fields of its finding."""
    if _emptied(job):
        unwritten.litter()
    try:
        done = trial.run(job)
    except Stopped as stopped:
        outcome = {"torch": "refused", "mindspore": "raises", "state": "differs"}
        return {
            "outcome": outcome.get(stopped.cause, "no_kernel"),
            "message": stopped.message,
        }
    found = done.found
    doubtful = {"doubtful": True, "shaken": _raised_in_gradient(done)}
    shapes = any("shape" in text or "dtype" in text for text in found.differences)
    if found.differences and not shapes and _emptied(job):
        # Memory that nobody wrote to: which numbers it holds, and whether they stay, is chance.
        return {
            "outcome": "differs",
            "message": NOTHING,
            **doubtful,
        }
    if found.differences and not unwritten.again(job, done):
        return {"outcome": "differs", "message": UNSTEADY, **doubtful}
    if found.differences:
        return {
            "outcome": "differs",
            "message": "; ".join(found.differences)[:200],
            "torch_gave": done.torch_gave,
            "mindspore_gave": done.mindspore_gave,
            **doubtful,
        }
    if done.error:
        return {"outcome": "raises", "message": done.error, "shaken": True}
    if _raised_in_gradient(done):
        return {"outcome": "forward_only", "shaken": True}
    return {"outcome": "agrees"}


def _raised_in_gradient(done: Trial) -> bool:
    return bool(done.error) or any(g.startswith("no kernel") for g in done.gradients)


def _emptied(job: Job) -> bool:
    return any(spec.get("edge") == "empty" for spec in job.inputs.values())


def _stopped(stopped: Stopped) -> dict[str, Any]:
    if stopped.cause in UNTESTABLE_REASONS:
        return {"outcome": "untestable", "message": stopped.message, "reason": stopped.cause}
    if stopped.cause == "state":
        return {"outcome": "refuted", "message": stopped.message}
    side = {"torch": "PyTorch", "mindspore": "MindSpore"}[stopped.cause]
    return {"outcome": "refuted", "message": f"{side} raised {stopped.message}"}


def _torch_raises(job: Job) -> dict[str, Any]:
    torch_side, mindspore_side = trial.sides(job)
    trial.seed()
    right = trial.guard("mindspore", lambda: mindspore_side.run(mindspore_side.tensors()))
    gave = shown.one(trial.guard("mindspore", lambda: trial.settled(right)))
    try:
        left = torch_side.run(torch_side.tensors())
    except Exception as error:
        return _raised(job, error, {"mindspore_gave": gave}, "torch_gave")
    message = f"PyTorch raised nothing, it gave {shown.one(left)}"
    return {"outcome": "refuted", "message": message}


def _mindspore_raises(job: Job) -> dict[str, Any]:
    torch_side, mindspore_side = trial.sides(job)
    trial.seed()
    trial.guard("torch", lambda: torch_side.prepare(torch_side.tensors()))
    trial.guard("torch", lambda: torch_side.run(torch_side.tensors()))
    trial.seed()
    try:
        mindspore_side.prepare(mindspore_side.tensors())
        right = trial.settled(mindspore_side.run(mindspore_side.tensors()))
    except Exception as error:
        return _raised(job, error, {}, "mindspore_gave")
    message = f"MindSpore raised nothing, it gave {shown.one(right)}"
    return {"outcome": "refuted", "message": message}


def _raised(job: Job, error: Exception, fields: dict[str, Any], side: str) -> dict[str, Any]:
    text = reasons.brief(error)
    if job.raises and job.raises not in f"{type(error).__name__}: {error}":
        return {
            "outcome": "refuted",
            "message": f'expected an error with "{job.raises}", got {text}',
        }
    return {"outcome": "diverges_documented", **fields, side: text}


def _conclude(job: Job, done: Trial) -> dict[str, Any]:
    """The outcome that what was found amounts to."""
    fields: dict[str, Any] = {"gradient": done.gradient}
    gave = {"torch": done.torch_gave, "mindspore": done.mindspore_gave}
    both = {f"{side}_gave": text for side, text in gave.items()}
    found = done.found
    if job.expect == "differs":
        fields |= both
        for side, text in job.gives.items():
            if gave[side] != text:
                message = f"{side} was to give {text}, gave {gave[side]}"
                return {"outcome": "refuted", "message": message, **fields}
        if not found.differences:
            message = f"both give {gave['torch']}: the documented difference is gone"
            return {"outcome": "refuted", "message": message, **fields}
        message = "; ".join(found.differences)[:200]
        return {"outcome": "diverges_documented", "message": message, **fields}
    if found.differences or done.error:
        message = "; ".join([*found.differences, *filter(None, [done.error])])[:300]
        return {"outcome": "refuted", "message": message, **fields, **both}
    if found.detail:
        fields["message"] = found.detail
    if done.changed:
        fields["in-place"] = _in_place(done)
    outcome = "verified"
    if _raised_in_gradient(done):
        outcome = "verified_forward_only"
        fields["shaken"] = True
    elif job.rtol is not None:
        outcome = "verified_with_tolerance"
    return {"outcome": outcome, **fields}


def _in_place(done: Trial) -> dict[str, Any]:
    """Whether the call changed its inputs alike, and views of them saw it."""
    found = done.afterwards
    if found.differences:
        return {"outcome": "differs", "message": "; ".join(found.differences)[:200]}
    return {"outcome": "agrees"}
