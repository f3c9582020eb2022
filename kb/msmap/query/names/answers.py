"""What each command answers with, as data: the same objects in Python, JSON and YAML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any

from msmap import claimed, model, tabled, vocabulary
from msmap.candidates import Probe
from msmap.candidates import Summary as ProbeSummary
from msmap.database import ANSWERS_VERSION
from msmap.errors import NotFound
from msmap.ported import PortedFile
from msmap.query.base import statistics
from msmap.query.errors import explain
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import related
from msmap.query.names.brief import Brief, Unrecorded, briefly
from msmap.scan.report import Site
from msmap.shown import Shown


@dataclass(frozen=True, slots=True)
class Group:
    """The names that a pattern stands for, each with what answers it; records before probes.

    ``namespace`` is the one that was asked for, "" of any other pattern; no more than 200 are
    listed of ``records`` and ``probes``.
    """

    pattern: str
    records: int
    probes: int
    names: tuple[tuple[str, str], ...]
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of one name: a record, what a MindSpore name was, a probe, the nearest names.

    ``basis`` is what the answer rests on, None where nobody knows the name. What is no more than
    ``known`` is found all the same where the probe has the reason why nothing was run.
    ``elsewhere`` is what another release of MindSpore has under a name that this one lacks,
    ``guides`` are those about a name that no record has, ``told`` the PyTorch names in whose
    records a MindSpore name stands that none maps to: either is an answer to it. ``nearest`` are
    those spelt nearly so; beside a probe, those that share its last part, and beside a record that
    was asked for by its last part alone, what that may mean too. ``found_as`` are, of a MindSpore
    name that no record maps to, the PyTorch names of which it is the best candidate. ``port`` is
    what becomes of the very call that was asked for, ``group`` what a pattern or a namespace stands
    for, beside the record of a namespace that has one.
    """

    query: str
    found: bool
    basis: vocabulary.Basis | None = None
    record: model.Record | None = None
    reverse: model.Reverse | None = None
    probe: Probe | None = None
    known: str | None = None
    nearest: tuple[str, ...] = ()
    elsewhere: model.Api | None = None
    guides: tuple[str, ...] = ()
    found_as: tuple[ProbeSummary, ...] = ()
    port: model.Port | None = None
    group: Group | None = None
    told: tuple[str, ...] = ()

    @property
    def named_alone(self) -> bool:
        """Whether a name was found that only guides and the texts of records tell of."""
        others = (self.record, self.reverse, self.probe, self.found_as, self.group)
        return self.found and not any(others)


@dataclass(frozen=True, slots=True)
class Lookup(Shown):
    """Answers of ``msmap lookup``, one a name."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    releases: dict[str, str]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Briefs(Shown):
    """A line about each of many names, in the order in which they were asked."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    releases: dict[str, str]
    answers: tuple[Brief, ...]


@dataclass(frozen=True, slots=True)
class Search(Shown):
    """Results of ``msmap search``, best first."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    query: str
    hits: tuple[model.Hit, ...]


@dataclass(frozen=True, slots=True)
class Explained(Shown):
    """The outcome of ``msmap explain``: None if the error isn't known."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    explanation: explain.Explanation | None


@dataclass(frozen=True, slots=True)
class List(Shown):
    """Records of ``msmap list``, by name; ``probes`` where those were asked for instead."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    records: tuple[model.Summary, ...]
    probes: tuple[ProbeSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class Ported(Shown):
    """The outcome of ``msmap port``; ``calls`` are the places of PyTorch's names in the code.

    Each has what becomes of it, and the caveats that this very call triggers.
    """

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    port: model.Port
    calls: tuple[Site, ...] = ()


@dataclass(frozen=True, slots=True)
class PortedFiles(Shown):
    """What ``msmap port`` made of files, in order, and what it couldn't read."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    files: tuple[PortedFile, ...]
    unread: tuple[model.Unread, ...]


@dataclass(frozen=True, slots=True)
class Guides(Shown):
    """Guides of ``msmap guide``."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    guides: tuple[model.Guide, ...]


@dataclass(frozen=True, slots=True)
class Guide(Guides):
    """The one that was asked for by name, to be read."""


@dataclass(frozen=True, slots=True)
class Claims(Shown):
    """Statements of ``msmap claims`` and rows of tables, and what documents they stand in."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    claims: tuple[claimed.Claim, ...]
    sources: tuple[claimed.Source, ...]
    rows: tuple[tabled.Row, ...] = ()
    tables: tuple[tabled.Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof(Shown):
    """The checks of ``msmap evidence show``, each with what came out of it and its variants."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    torch: str
    checks: tuple[model.Check, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A run of ``msmap evidence show NAME CHECK``: what it gave, and a script that repeats it.

    ``finding`` is None if it never ran.
    """

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    torch: str
    check: str
    variant: str
    finding: model.Evidence | model.Finding | None
    script: str


@dataclass(frozen=True, slots=True)
class Stats(Shown):
    """Counts of ``msmap stats``."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    releases: dict[str, str]
    names: dict[str, int]
    basis: dict[str, int]
    callables_without_signature: dict[str, int]
    category: dict[str, int]
    verification: dict[str, int]
    verdict: dict[str, int]
    outcome: dict[str, int]
    variants: dict[str, dict[str, int]]
    records: int
    guides: int
    claims: int
    caveats: int
    checks: int
    evidence: int


@dataclass(frozen=True, slots=True)
class Covered:
    """How many public names a namespace of PyTorch has, by what answers about them rest on.

    ``verified`` are those of the ``curated`` whose checks agree.
    """

    namespace: str
    names: int
    curated: int
    verified: int
    probed: int
    known: int


@dataclass(frozen=True, slots=True)
class Coverage(Shown):
    """What of PyTorch has an answer, and how many names of MindSpore are a target of a record."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    releases: dict[str, str]
    total: Covered
    namespaces: tuple[Covered, ...]
    mindspore_names: int
    mindspore_targets: int


@dataclass(frozen=True, slots=True)
class Names(Shown):
    """Names of PyTorch without a record, by name."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    names: tuple[Unrecorded, ...]


@dataclass(frozen=True, slots=True)
class Error:
    """What the HTTP API answers where it can't: ``nearest`` are names or values that it has.

    ``known`` is the canonical name of what the frameworks have but no record is about, ``guides``
    are about it.
    """

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    status: int
    message: str
    nearest: tuple[str, ...] = ()
    known: str | None = None
    guides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """A line of all evidence: what came out of a check of a record, or of ``guide:ID``."""

    owner: str
    check: str
    mindspore: str
    evidence: model.Evidence


def answer(kb: KnowledgeBase, name: str) -> Answer:
    """A PyTorch name's record or probe, or what a MindSpore name was; never an exception."""
    if kb.is_mindspore(name):
        return _reversed(kb, name)
    torch = kb.torch_name(name)
    probe = kb.tried(torch) if torch and kb.find(torch) is None else None
    if probe is not None:
        return _probed(kb, name, probe, kb.telling(torch))
    try:
        record = kb.lookup(name)
        near = kb.others(name, record.torch)
        return Answer(name, True, "curated", record=record, nearest=near)
    except NotFound as error:
        return _missed(name, error)


def _reversed(kb: KnowledgeBase, name: str) -> Answer:
    """What a MindSpore name was in PyTorch, or where it is told of."""
    known = kb.mindspore_name(name)
    if known is not None and kb.mapped(known) is None:
        _, found = kb.found_as(name)
        if found:
            return Answer(name, True, "probed", known=known, found_as=found)
    try:
        return Answer(name, True, "curated", reverse=kb.reverse(name))
    except NotFound as error:
        missed = _missed(name, error)
    if missed.elsewhere is not None:
        return missed
    known = known or related.inherited(kb, name)
    guides, told = related.telling(kb, known) if known else ((), ())
    if not (guides or told):
        return missed
    return replace(
        missed, found=True, basis="curated", known=known, nearest=(), guides=guides, told=told
    )


def many(kb: KnowledgeBase, names: Sequence[str]) -> Iterator[Answer]:
    """What is known of each of many names; near names are told of the first misses alone."""
    for name, brief in zip(names, briefly(kb, names), strict=True):
        told = brief.brief
        if told is None:
            yield Answer(name, False, brief.basis, known=brief.known, nearest=brief.nearest)
        elif told.kind == "probe":
            probe = kb.tried(told.name)
            assert probe is not None, "its line was made of it"
            yield _probed(kb, name, probe, ())
        else:
            yield answer(kb, name)


def _missed(name: str, error: NotFound) -> Answer:
    return Answer(
        name,
        False,
        "known" if error.known else None,
        known=error.known,
        nearest=error.nearest,
        elsewhere=error.elsewhere,
        guides=error.guides,
    )


def _probed(kb: KnowledgeBase, name: str, probe: Probe, guides: tuple[str, ...]) -> Answer:
    known = probe.torch if probe.reason else None
    near = kb.siblings(probe.torch)
    return Answer(name, True, probe.basis, probe=probe, known=known, nearest=near, guides=guides)


def search(kb: KnowledgeBase, text: str, limit: int = 20, kind: str | None = None) -> Search:
    """What a text leads to, best first."""
    return Search(text, tuple(kb.search(text, limit, kind)))


def coverage(kb: KnowledgeBase, namespace: str | None = None) -> Coverage:
    """What of PyTorch has an answer, by namespace; of one and those below it if one is given."""
    every = statistics.namespaces(kb)
    wanted = [
        n for n in every if namespace is None or f"{n.name}.".startswith(f"{namespace}.")
    ]  # fmt: skip
    targets, names = statistics.mindspore_covered(kb)
    told = tuple(map(_covered, wanted))
    return Coverage(kb.releases(), _covered(statistics.total(wanted)), told, names, targets)


def _covered(found: statistics.Namespace) -> Covered:
    return Covered(
        found.name, found.names, found.records, found.verified, found.probed, found.known
    )


def explained(kb: KnowledgeBase, text: str) -> Explained:
    """What is known of the error that a text says or ends with."""
    return Explained(explain.explain(kb, text))


def proof(record: model.Record, environment: str | None = None) -> Proof:
    """What came out of a record's checks in an environment, which a part of its name tells."""
    checks = []
    for check in record.checks:
        fitting = [e for e in check.evidence if environment is None or environment in e.environment]
        checks.append(replace(check, evidence=tuple(fitting[-1:])))
    return Proof(record.torch, tuple(checks))


def plain(answered: Any) -> dict[str, Any]:
    """An answer as dictionaries, lists and plain values, as JSON and YAML carry it."""
    found: dict[str, Any] = _plain(answered)
    return found


def _plain(value: Any) -> Any:
    """As ``dataclasses.asdict`` does; it copies every text, and a long list takes ten times."""
    kind: Any = type(value)
    if kind in _VALUES:
        return value
    if kind is tuple or kind is list:
        return kind([_plain(one) for one in value])
    if kind is dict:
        return {_plain(key): _plain(one) for key, one in value.items()}
    names = _fields(kind)
    return {name: _plain(getattr(value, name)) for name in names} if names else deepcopy(value)


_VALUES = frozenset((str, int, float, bool, type(None)))


@cache
def _fields(kind: type) -> tuple[str, ...]:
    """The fields of a dataclass, in their order; none of anything else."""
    return tuple(one.name for one in fields(kind)) if is_dataclass(kind) else ()
