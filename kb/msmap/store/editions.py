"""Records of earlier releases that differ from the newest one's in more than their evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msmap.evidence import verification
from msmap.model import Evidence, Guide, Record


@dataclass(frozen=True, slots=True)
class Edition:
    """A record as it is from one release to another, as places in the list of releases."""

    record: Record
    first: int
    last: int


def with_evidence(record: Record, found: Mapping[str, tuple[Evidence, ...]]) -> Record:
    """The record with the evidence of another release, by check, and what follows from it."""
    checks = tuple(replace(c, evidence=found.get(c.id, ())) for c in record.checks)
    return verification.judged(replace(record, checks=checks))


def guide_with_evidence(guide: Guide, found: Mapping[str, tuple[Evidence, ...]]) -> Guide:
    """The guide with the evidence of another release, by check."""
    sections = tuple(
        replace(s, checks=tuple(replace(c, evidence=found.get(c.id, ())) for c in s.checks))
        for s in guide.sections
    )
    return replace(guide, sections=sections)


def of(newest: Record, earlier: Sequence[Record]) -> list[Edition]:
    """The editions of a record, newest first; ``earlier`` are its releases, oldest first.

    A release needs none if the newest record with that release's evidence is all there is to it;
    neighbours that differ in their evidence alone share one.
    """
    found: list[Edition] = []
    for place in range(len(earlier) - 1, -1, -1):
        record = earlier[place]
        outcomes = {check.id: check.evidence for check in record.checks}
        if with_evidence(newest, outcomes) == record:
            continue
        if found and found[-1].first == place + 1:
            last = found[-1]
            if with_evidence(last.record, outcomes) == record:
                found[-1] = replace(last, first=place)
                continue
        found.append(Edition(record, place, place))
    return found
