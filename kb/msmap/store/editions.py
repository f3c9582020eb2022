"""Records of earlier releases that differ from the newest one's in more than their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from msmap.evidence.attach import record_given
from msmap.model import Record


@dataclass(frozen=True, slots=True)
class Edition:
    """A record as it is from one release to another, as places in the list of releases."""

    record: Record
    first: int
    last: int


def of(newest: Record, earlier: Sequence[Record | None]) -> list[Edition]:
    """The editions of a record, newest first; ``earlier`` are its releases, oldest first.

    None stands for one that is known to be the newest, but for its evidence.

    A release needs none if the newest record with that release's evidence is all there is to it;
    neighbours that differ in their evidence alone share one.
    """
    found: list[Edition] = []
    for place in range(len(earlier) - 1, -1, -1):
        record = earlier[place]
        if record is None:
            continue
        outcomes = {check.id: check.evidence for check in record.checks}
        if record_given(newest, outcomes) == record:
            continue
        if found and found[-1].first == place + 1:
            last = found[-1]
            if record_given(last.record, outcomes) == record:
                found[-1] = replace(last, first=place)
                continue
        found.append(Edition(record, place, place))
    return found
