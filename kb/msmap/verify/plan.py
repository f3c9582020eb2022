"""Which checks to run."""

from __future__ import annotations

from collections.abc import Iterable

from msmap.model import Check, Guide, Record
from msmap.verify import job
from msmap.verify.job import Job

# What a check without evidence, or with evidence of something else, is worth.
_OPEN = ("stale", "inconclusive")


def jobs(
    records: Iterable[Record], guides: Iterable[Guide], environment: str | None = None
) -> list[Job]:
    """A job for every check that can run.

    With an ``environment``, only for those whose evidence there is missing, stale or
    inconclusive.
    """
    found: list[Job] = []
    for record in records:
        for check in record.checks:
            state = next((t.state for t in record.targets if t.key == check.target), ())
            if check.mindspore and _wanted(check, environment):
                found.append(job.make(record.torch, check, state))
    for guide in guides:
        for section in guide.sections:
            found += [
                job.make(f"guide:{guide.id}", check)
                for check in section.checks
                if check.mindspore and _wanted(check, environment)
            ]
    return found


def _wanted(check: Check, environment: str | None) -> bool:
    if environment is None:
        return True
    return all(e.environment != environment or e.outcome in _OPEN for e in check.evidence)
