"""Many names asked at once: a line about each, and the names that have no record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from msmap import vocabulary
from msmap.candidates import Probe
from msmap.candidates import Summary as Tried
from msmap.database import NEWEST
from msmap.model import Record, Reverse, Text
from msmap.probed import Tally
from msmap.query.base.statistics import OWN, PROBED
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import related
from msmap.vocabulary import Basis

# Looking for near names takes ten times as long as an answer; so many misses of a question get it.
_NEAR = 20


@dataclass(frozen=True, slots=True)
class Short:
    """A line about a name that there is an answer to.

    ``kind`` is ``record``, ``probe``, or ``reverse`` of a name of MindSpore; ``name`` is the
    canonical one. ``torch`` and ``mindspore`` are what it maps from and to, the best first;
    ``impacts`` counts the caveats of a record, ``values`` how many samples of a probe agree,
    ``reason`` is why nothing was run.
    """

    name: str
    kind: str
    torch: tuple[str, ...]
    mindspore: tuple[str, ...]
    category: str = ""
    verification: str = ""
    runs_on: tuple[str, ...] = ()
    ran_on: tuple[str, ...] = ()
    impacts: dict[str, int] | None = None
    summary: Text | None = None
    values: Tally | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """What is known of one of many names, in a line; as an ``Answer`` otherwise.

    ``nearest`` names are looked for of the first misses only.
    """

    query: str
    found: bool
    basis: Basis | None = None
    brief: Short | None = None
    known: str | None = None
    nearest: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """A name of PyTorch without a record: ``probed``, with its best candidate, or only ``known``.

    ``reason`` is why nothing was run, "" where nobody tried or something was run.
    """

    torch: str
    kind: str
    basis: Basis
    mindspore: str
    values: Tally
    reason: str


def briefly(kb: KnowledgeBase, names: Iterable[str]) -> Iterator[Brief]:
    """A line about each name, in the order in which they are asked."""
    asked = _Asked(kb)
    return map(asked.brief, names)


class _Asked:
    """Many names asked of a base; what takes long is done once, or for the first few alone."""

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb, self.near = kb, _NEAR

    def brief(self, name: str) -> Brief:
        """A line about one of them."""
        kb = self.kb
        if kb.is_mindspore(name):
            return self.reverse(name)
        known = kb.torch_name(name)
        record = kb.find(known) if known else None
        if record is not None:
            return Brief(name, True, "curated", _of_record(record))
        probe = kb.tried(known) if known else None
        if probe is None:
            return self.missed(name, known)
        return Brief(
            name, True, probe.basis, _of_probe(probe), probe.torch if probe.reason else None
        )

    def reverse(self, name: str) -> Brief:
        """A line about a name of MindSpore."""
        known = self.kb.mindspore_name(name)
        found = self.kb.mapped(known) if known else None
        if known and found is None and known not in self.candidates:
            found = related.reverse(self.kb, known)
        if known is None or (found is None and known not in self.candidates):
            return self.missed(name, known)
        if found is not None:
            return Brief(name, True, "curated", _of_reverse(found))
        probes = self.candidates[known]
        names, best = tuple(s.torch for s in probes), probes[0].values
        return Brief(name, True, "probed", Short(known, "reverse", names, (known,), values=best))

    def missed(self, name: str, known: str | None) -> Brief:
        """That there is no answer, and the nearest names as long as that isn't too much."""
        self.near -= 1
        nearest = self.kb.nearest(known or name) if self.near >= 0 else ()
        return Brief(name, False, "known" if known else None, None, known, nearest)

    @cached_property
    def candidates(self) -> dict[str, list[Tried]]:
        """The probes that a name of MindSpore is best for, those that agree most first."""
        found: dict[str, list[Tried]] = {}
        for line in sorted(self.kb.probes(), key=lambda s: (-s.values.share, s.torch)):
            if line.values.agreed and (name := self.kb.mindspore_name(line.mindspore)):
                found.setdefault(name, []).append(line)
        return found


def _of_record(record: Record) -> Short:
    best = record.targets[0] if record.targets else None
    counted = Counter(caveat.impact for caveat in record.caveats)
    return Short(
        name=record.torch,
        kind="record",
        torch=(record.torch,),
        mindspore=tuple(t.api or t.expression or "" for t in record.targets),
        category=record.category,
        verification=record.verification,
        runs_on=best.runs_on if best else (),
        ran_on=best.ran_on if best else (),
        impacts={key: counted[key] for key in vocabulary.IMPACTS if counted[key]},
        summary=record.summary,
    )


def _of_probe(probe: Probe) -> Short:
    best = probe.first
    return Short(
        name=probe.torch,
        kind="probe",
        torch=(probe.torch,),
        mindspore=tuple(candidate.mindspore for candidate in probe.candidates),
        runs_on=best.runs_on if best else (),
        values=best.values if best else None,
        reason=probe.reason,
    )


def _of_reverse(found: Reverse) -> Short:
    sources = [summary for _, summary in found.sources]
    first = sources[0]
    return Short(
        name=found.api.name,
        kind="reverse",
        torch=tuple(summary.torch for summary in sources),
        mindspore=(found.api.name,),
        category=first.category,
        verification=first.verification,
        runs_on=first.runs_on,
        ran_on=first.ran_on,
        summary=first.summary,
    )


def without_record(
    kb: KnowledgeBase, namespace: str | None = None, basis: str | None = None
) -> list[Unrecorded]:
    """PyTorch's names without a record, by name; a namespace stands for what is below it too.

    Aliases and modules are no names of their own.
    """
    sql = (
        f"SELECT a.name, a.kind, a.name IN ({PROBED}), coalesce(p.mindspore, ''),"
        " coalesce(p.agreed, 0), coalesce(p.tried, 0), coalesce(p.reason, '')"
        f" FROM api a LEFT JOIN probe p ON p.torch = a.name AND p.release = {NEWEST}"
        f" WHERE a.framework = 'torch' AND {OWN} AND a.name NOT IN (SELECT torch FROM record)"
        " ORDER BY a.name"
    )
    found = [
        Unrecorded(name, kind, "probed" if probed else "known", written, Tally(agreed, tried), why)
        for name, kind, probed, written, agreed, tried, why in kb.rows(sql)
    ]
    return [
        line
        for line in found
        if (namespace is None or line.torch.startswith(f"{namespace}."))
        and basis in (None, line.basis)
    ]
