"""The checks of caveats that explain a difference, run here: whether they still show what they say.

It runs in this process, beside the models that were compared: nothing forks after MindSpore ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmap.compare.report import Compared
from msmap.compare.terms import Cause
from msmap.errors import CannotVerify
from msmap.model import Check, Record, state_of
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
            record = kb.find(cause.record)
            for check in record.checks if record else ():
                if check.id not in cause.checks[:_MOST] or check.expect == "crashes":
                    continue
                assert record is not None
                key = cause.record, check.id
                if key not in told:
                    told[key] = _run(record, check)
                _tell(cause, told[key])


def _tell(cause: Cause, said: str) -> None:
    if said not in cause.confirmed:
        cause.confirmed = "; ".join(filter(None, (cause.confirmed, said)))


def _run(record: Record, check: Check) -> str:
    try:
        from msmap.verify.trial import child
    except ImportError as error:
        raise CannotVerify(f"running checks needs {error.name}") from None
    made = job.make(record.owner, check, state_of(record.targets, check.target))
    try:
        done = child.run(made)
    except ImportError as error:
        raise CannotVerify(f"running checks needs {error.name}") from None
    gave = [
        f"{side} {done[key]}"
        for side, key in (("PyTorch", "torch_gave"), ("MindSpore", "mindspore_gave"))
        if done.get(key)
    ]
    return ", ".join([str(done["outcome"]), *gave])
