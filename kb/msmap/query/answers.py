"""What each command answers with, as data: the same objects in Python, JSON and YAML."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from msmap import claimed, model, tabled, vocabulary
from msmap.candidates import Probe
from msmap.candidates import Summary as ProbeSummary
from msmap.database import ANSWERS_VERSION
from msmap.errors import NotFound
from msmap.ported import PortedFile
from msmap.query import explain
from msmap.query.knowledge_base import KnowledgeBase


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
    ``guides`` are those about a name that no record has. ``nearest`` are those spelt nearly so;
    beside a probe, those that share its last part. ``found_as`` are, of a MindSpore name that no
    record maps to, the PyTorch names of which it is the best candidate. ``port`` is what becomes of
    the very call that was asked for, ``group`` what a pattern or a namespace stands for.
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


@dataclass(frozen=True, slots=True)
class Lookup:
    """Answers of ``msmap lookup``, one a name."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    releases: dict[str, str]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Results of ``msmap search``, best first."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    query: str
    hits: tuple[model.Hit, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """The outcome of ``msmap explain``: None if the error isn't known."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    explanation: explain.Explanation | None


@dataclass(frozen=True, slots=True)
class List:
    """Records of ``msmap list``, by name; ``probes`` where those were asked for instead."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    records: tuple[model.Summary, ...]
    probes: tuple[ProbeSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class Ported:
    """The outcome of ``msmap port``."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    port: model.Port


@dataclass(frozen=True, slots=True)
class PortedFiles:
    """What ``msmap port`` made of files, in order, and what it couldn't read."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    files: tuple[PortedFile, ...]
    unread: tuple[model.Unread, ...]


@dataclass(frozen=True, slots=True)
class Guides:
    """Guides of ``msmap guide``."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    guides: tuple[model.Guide, ...]


@dataclass(frozen=True, slots=True)
class Guide(Guides):
    """The one that was asked for by name, to be read."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Statements of ``msmap claims`` and rows of tables, and what documents they stand in."""

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    claims: tuple[claimed.Claim, ...]
    sources: tuple[claimed.Source, ...]
    rows: tuple[tabled.Row, ...] = ()
    tables: tuple[tabled.Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Proof:
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
class Stats:
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
        try:
            return Answer(name, True, "curated", reverse=kb.reverse(name))
        except NotFound as error:
            known, found = kb.found_as(name)
            if found:
                return Answer(name, True, "probed", known=known, found_as=found)
            return _missed(name, error)
    try:
        return Answer(name, True, "curated", record=kb.lookup(name))
    except NotFound as error:
        probe = kb.tried(error.known) if error.known else None
        return _missed(name, error) if probe is None else _probed(kb, name, probe, error.guides)


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
    found: dict[str, Any] = asdict(answered)
    return found
