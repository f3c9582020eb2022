"""Rows of published tables, joined with what running each pair showed; nobody writes a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain

from msmap import tabled
from msmap.assemble.base import Base
from msmap.assemble.probes import Line
from msmap.curated import tables as schema
from msmap.evidence import probes
from msmap.probed import Candidate, Difference, Probe, Tally
from msmap.signatures.parse import same_default
from msmap.signatures.release import Side

# Differences that no error reports, or that end the process.
_SILENT = ("differs", "crash", "timeout", "gradient_differs", "in_place")
# What tells nothing of the API itself.
_NOTHING = ("no_kernel", "inconclusive", "refused")


def judge(base: Base, lines: Mapping[str, Line]) -> Judge:
    """What judges rows by the probes that are kept, of names with and without a record.

    A line that can't be read tells nothing; who reads probes for their own sake says so.
    """
    found: dict[str, Probe] = {}
    for name, line in lines.items():
        with suppress(ValueError, TypeError, AttributeError, KeyError):
            found[name] = probes.parse(line.text)
    return Judge(base, found)


def published(base: Base, tables: Iterable[schema.Table]) -> dict[str, set[str]]:
    """The canonical MindSpore names that tables pair with each canonical PyTorch name."""
    found: dict[str, set[str]] = {}
    for table in tables:
        for torch, mindspore, *_ in chain.from_iterable(table.rows.values()):
            name, target = base.torch_name(torch), base.mindspore.canonical(mindspore)
            if torch.startswith("torch.") and name and target:
                found.setdefault(name, set()).add(target)
    return found


@dataclass(frozen=True, slots=True)
class Judge:
    """What judges the rows of tables: the names of both frameworks, and what probing found."""

    base: Base
    probes: Mapping[str, Probe]

    def rows(self, written: schema.Table) -> Iterator[tabled.Row]:
        """The rows of a table, in its order."""
        for says, rows in written.rows.items():
            for torch, mindspore, *parameters in rows:
                yield self._row(written.id, says, torch, mindspore, tuple(parameters))

    def _row(
        self, table: str, says: str, torch: str, mindspore: str, named: tuple[str, ...]
    ) -> tabled.Row:
        name = self.base.torch.canonical(torch)
        target = self.base.mindspore.canonical(mindspore)
        tried = None if name is None or target is None else self._candidate(name, target)
        finding = self._unrun(torch, mindspore, name, target) or _finding(tried)
        stated = finding in _RUN and self._stated(says, name, target, named)
        return tabled.Row(
            table=table,
            torch=torch,
            mindspore=mindspore,
            says=says,
            parameters=named,
            verdict=_verdict(says, finding, stated),
            finding=finding,
            values=tried.values if tried else Tally(),
            gradients=tried.gradients if tried else Tally(),
            sample=_sample(tried.differences) if tried else None,
        )

    def _unrun(self, torch: str, mindspore: str, name: str | None, target: str | None) -> str:
        """What is found of a pair that nothing could be run of; "" where it could."""
        if not torch:
            alike = mindspore.replace("mindspore.mint.", "torch.")
            return "known_name" if alike in self.base.torch.apis else "unknown_name"
        if target is None:
            return "gone"
        if not torch.startswith("torch."):
            return "other_library"
        return "unknown_name" if name is None else ""

    def _candidate(self, name: str, target: str) -> Candidate | None:
        probe = self.probes.get(name) or self.probes.get(self.base.stand_ins.get(name, ""))
        known = self.base.mindspore.canonical
        return next(
            (c for c in (probe.candidates if probe else ()) if known(c.key) == target), None
        )

    def _stated(
        self, says: str, name: str | None, target: str | None, named: tuple[str, ...]
    ) -> bool:
        """Whether the signatures differ in the way that a row says."""
        ours, theirs = self.base.torch.side(name), self.base.mindspore.side(target)
        return _WAYS.get(says, _any)(ours, theirs, named)


_RUN = ("agrees", "raises", "differs")


def _finding(tried: Candidate | None) -> str:
    if tried is None or not tried.values.tried:
        return "untried"
    outcomes = {difference.outcome for difference in tried.differences}
    if outcomes & set(_SILENT):
        return "differs"
    whole = tried.gradients.agreed == tried.gradients.tried
    if tried.values.agreed == tried.values.tried and whole:
        return "agrees"
    if tried.values.agreed:
        return "raises"
    if outcomes <= {"refused"}:
        return "unwritten"
    return "no_kernel" if outcomes <= set(_NOTHING) else "raises"


def _verdict(says: str, finding: str, stated: bool) -> str:
    """Whether a row is so.

    Args:
        says: what it says.
        finding: what was found of the pair.
        stated: whether the signatures differ as it says.
    """
    if finding == "gone":
        return "held_until"
    if says == "only":
        return "refuted" if finding == "known_name" else "not_testable"
    if finding not in _RUN:
        return "not_testable"
    if says == "page":
        return "holds" if stated or finding != "agrees" else "held_until"
    if finding == "differs":
        # What it calls consistent is not.
        return "refuted"
    if says not in ("same", "pair") and not stated:
        return "held_until"
    return "holds" if finding == "agrees" else "partly"


def _sample(differences: Iterable[Difference]) -> Difference | None:
    """The worst that is known: of silent differences the most frequent, then what raises."""
    ranked = [*_SILENT, "accepts", "gradient_raises", "raises", "no_kernel", "refused"]
    known = [d for d in differences if d.outcome in ranked and d.torch]
    if not known:
        return None
    return replace(min(known, key=lambda d: ranked.index(d.outcome)), cells=())


def _names(side: Side) -> list[str]:
    return [name for name in side.names() if name not in ("self", "out")]


def _other_names(ours: Side, theirs: Side, _: tuple[str, ...]) -> bool:
    # A receiver is an input like others where the other side has none.
    return bool(set(_names(ours)) ^ set(_names(theirs)))


def _other_order(ours: Side, theirs: Side, _: tuple[str, ...]) -> bool:
    return _names(ours) != _names(theirs)


def _other_defaults(ours: Side, theirs: Side, named: tuple[str, ...]) -> bool:
    names = named or tuple(set(_names(ours)) & set(_names(theirs)))
    return any(not _defaults_agree(ours, theirs, name) for name in names)


def _defaults_agree(ours: Side, theirs: Side, name: str) -> bool:
    pairs = ((a, b) for a in ours.defaults(name) for b in theirs.defaults(name))
    return any(same_default(a, b) for a, b in pairs)


def _lacks(ours: Side, theirs: Side, named: tuple[str, ...]) -> bool:
    gone = set(_names(ours)) - set(_names(theirs))
    return gone >= set(named) if named else bool(gone)


def _adds(ours: Side, theirs: Side, named: tuple[str, ...]) -> bool:
    return _lacks(theirs, ours, named)


def _any(ours: Side, theirs: Side, named: tuple[str, ...]) -> bool:
    return _other_order(ours, theirs, named) or _other_defaults(ours, theirs, named)


# How signatures differ, by what a row says.
_WAYS = {
    "names": _other_names,
    "order": _other_order,
    "defaults": _other_defaults,
    "lacks": _lacks,
    "adds": _adds,
}
