"""The checks of caveats that explain a difference, run here: whether they still show what they say.

It runs in this process, beside the models that were compared: nothing forks after MindSpore ran.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msmap.compare.report import Compared
from msmap.compare.terms import Cause
from msmap.errors import CannotVerify
from msmap.model import Check, State, state_of
from msmap.verify.plan import job

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase

# Those of a caveat are few; more say nothing new.
_MOST = 2


def confirm(found: Compared, kb: KnowledgeBase) -> None:
    """Run the checks of all causes that something shows, and write into each what came out.

    Raises:
        CannotVerify: a framework is missing.
    """
    told: dict[tuple[str, str], str] = {}
    for finding in found.findings:
        for cause in finding.causes:
            if cause.shown_by == "unproved":
                continue
            for check, state, owner in _checks(cause, kb):
                if check.id not in cause.checks[:_MOST] or check.expect == "crashes":
                    continue
                key = cause.record, check.id
                if key not in told:
                    told[key] = _run(owner, check, state)
                _tell(cause, told[key])


def _checks(cause: Cause, kb: KnowledgeBase) -> Iterator[tuple[Check, tuple[State, ...], str]]:
    """The checks of a record, or of a guide, with the state of what they make."""
    name, _, guide = cause.record.partition(":")
    if guide:
        found = kb.guide(guide)
        yield from ((check, (), found.owner) for check in found.checks)
        return
    record = kb.find(name)
    if record is not None:
        for check in record.checks:
            yield check, state_of(record.targets, check.target), record.owner


def _tell(cause: Cause, said: str) -> None:
    if said not in cause.confirmed:
        cause.confirmed = "; ".join(filter(None, (cause.confirmed, said)))


def _run(owner: str, check: Check, state: tuple[State, ...]) -> str:
    try:
        from msmap.verify.trial import child
    except ImportError as error:
        raise CannotVerify("running checks needs {}", error.name) from None
    made = job.make(owner, check, state)
    try:
        done = child.run(made)
    except ImportError as error:
        raise CannotVerify("running checks needs {}", error.name) from None
    gave = [
        f"{side} {done[key]}"
        for side, key in (("PyTorch", "torch_gave"), ("MindSpore", "mindspore_gave"))
        if done.get(key)
    ]
    return ", ".join([str(done["outcome"]), *gave])
