"""Checks with what came out of them, and records with what that says of each target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, TypeAlias

from msmap.evidence import names, verification
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


class Proved(MutableMapping[str, Record]):
    """Records with the outcomes of their checks, each given them when it is first asked for."""

    def __init__(self, records: Mapping[str, Record], environments: Environments) -> None:
        self._made, self._environments = records, environments
        self._proved: dict[str, Record] = {}

    def __getitem__(self, name: str) -> Record:
        found = self._proved.get(name)
        if found is None:
            found = self._proved[name] = record(self._made[name], self._environments)
        return found

    def __setitem__(self, name: str, found: Record) -> None:
        self._proved[name] = found

    def __delitem__(self, name: str) -> None:
        raise TypeError(f"what was said of {name} stays")

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


def alike(
    records: Iterable[Record], older: Environments, newer: Environments, release: str
) -> set[str]:
    """The records of whose checks the same came out in two releases of MindSpore.

    Args:
        records: as they are in both.
        older: the evidence of a release.
        newer: that of another, read together with it: what is the same is one object.
        release: the older one.
    """
    named = {names.parse(name).within(release): lines for name, lines in newer.items()}
    none: Mapping[tuple[str, str], Line] = {}
    pairs = [(older.get(n, none), named.get(n, none)) for n in {*older, *named}]
    return {
        made.torch
        for made in records
        if all(
            one.get((made.torch, c.id)) is other.get((made.torch, c.id))
            for c in made.checks
            for one, other in pairs
        )
    }


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
