"""Records and guides with the evidence of another release put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from msmap.evidence import verification
from msmap.model import Evidence, Guide, Record


def record_given(made: Record, found: Mapping[str, tuple[Evidence, ...]]) -> Record:
    """The record with the evidence of another release, by check, and what follows from it."""
    checks = tuple(replace(c, evidence=found.get(c.id, ())) for c in made.checks)
    return verification.judged(replace(made, checks=checks))


def guide_given(made: Guide, found: Mapping[str, tuple[Evidence, ...]]) -> Guide:
    """The guide with the evidence of another release, by check."""
    sections = tuple(
        replace(s, checks=tuple(replace(c, evidence=found.get(c.id, ())) for c in s.checks))
        for s in made.sections
    )
    return replace(made, sections=sections)
