"""Checks with what came out of them, and records with what that says of each target."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from msmap.evidence import verification
from msmap.model import Check, Evidence, Guide, Record

if TYPE_CHECKING:
    from msmap.evidence.files import Line

Environments: TypeAlias = "Mapping[str, Mapping[tuple[str, str], Line]]"


def check(made: Check, owner: str, environments: Environments) -> Check:
    """The check with its evidence; what ran with another hash is ``stale``."""
    found: list[Evidence] = []
    for name, lines in environments.items():
        line = lines.get((owner, made.id))
        if line is None:
            continue
        found.append(
            Evidence(
                environment=name,
                outcome=line.outcome if line.hash == made.hash else "stale",
                reason=line.reason,
                message=line.message,
                gradient=line.gradient,
                torch_gave=line.torch_gave,
                mindspore_gave=line.mindspore_gave,
                variants=line.variants,
            )
        )
    return _given(made, tuple(found))


def record(made: Record, environments: Environments) -> Record:
    """A record with the outcomes of its checks, and what they say of each target."""
    return verification.judged(made, [check(c, made.torch, environments) for c in made.checks])


def guide(made: Guide, environments: Environments) -> Guide:
    """A guide with the outcomes of its checks."""
    sections = tuple(
        replace(s, checks=tuple(check(c, made.owner, environments) for c in s.checks))
        for s in made.sections
    )
    return replace(made, sections=sections)


def record_given(made: Record, found: Mapping[str, tuple[Evidence, ...]]) -> Record:
    """The record with the evidence of another release, by check, and what follows from it."""
    return verification.judged(made, [_given(c, found.get(c.id, ())) for c in made.checks])


def guide_given(made: Guide, found: Mapping[str, tuple[Evidence, ...]]) -> Guide:
    """The guide with the evidence of another release, by check."""
    sections = tuple(
        replace(s, checks=tuple(_given(c, found.get(c.id, ())) for c in s.checks))
        for s in made.sections
    )
    return replace(made, sections=sections)


def _given(made: Check, evidence: tuple[Evidence, ...]) -> Check:
    """The check with other evidence: ``replace`` takes more than twice as long over so many."""
    return Check(*(*_BUT_EVIDENCE(made), evidence))


*_OTHERS, _LAST = (field.name for field in fields(Check))
assert _LAST == "evidence"
_BUT_EVIDENCE = attrgetter(*_OTHERS)
