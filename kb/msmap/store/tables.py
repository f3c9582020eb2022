"""The tables of msmap.db. Validated models are copied in; a table class validates nothing."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Column, Index, text
from sqlmodel import Field, SQLModel


class Meta(SQLModel, table=True):
    """What the database was built from."""

    key: str = Field(primary_key=True)
    value: str


class Release(SQLModel, table=True):
    """A known release of a framework; of each framework, a later release has a higher id."""

    id: int = Field(primary_key=True)
    framework: str
    name: str


class Api(SQLModel, table=True):
    """A public name of the newest release of a framework; ids follow the order of names.

    ``first`` is the release from which it has been as it is; ``since`` the one that brought the
    name, empty if it was always there; ``changed`` are those that changed its signature. ``base``
    and ``members`` as in the signature file.
    """

    id: int = Field(primary_key=True)
    framework: str
    release: str
    name: str = Field(index=True)
    kind: str
    signatures: list[str] = Field(sa_column=Column(JSON))
    call: list[str] = Field(sa_column=Column(JSON))
    platforms: list[str] = Field(sa_column=Column(JSON))
    deprecated: str
    alias_of: str
    defined: str = Field(index=True)
    first: int = Field(foreign_key="release.id")
    since: str
    changed: list[str] = Field(sa_column=Column(JSON))
    base: str
    members: list[str] = Field(sa_column=Column(JSON))


class PastApi(SQLModel, table=True):
    """What a name was in earlier releases, ``first`` to ``last``, where the newest differs.

    ``until`` is the last release that has the name, empty if the newest does.
    """

    __tablename__ = "past_api"

    id: int = Field(primary_key=True)
    framework: str
    name: str = Field(index=True)
    first: int = Field(foreign_key="release.id")
    last: int = Field(foreign_key="release.id")
    kind: str
    signatures: list[str] = Field(sa_column=Column(JSON))
    call: list[str] = Field(sa_column=Column(JSON))
    platforms: list[str] = Field(sa_column=Column(JSON))
    deprecated: str
    alias_of: str
    defined: str = Field(index=True)
    since: str
    until: str
    changed: list[str] = Field(sa_column=Column(JSON))


class Dictionary(SQLModel, table=True):
    """What texts of a kind are deflated with, which are shorter so: zlib takes it as ``zdict``.

    Those of ``record``, ``edition`` and ``drift`` are of the kind ``record``; those of other tables
    have its name.
    """

    kind: str = Field(primary_key=True)
    text: bytes


class Record(SQLModel, table=True):
    """A PyTorch API with its mapping; ``document`` is the whole record as deflated JSON.

    ``family`` is the record whose answer it shares, if that isn't its own: the document is deflated
    with that one's.
    """

    torch: str = Field(primary_key=True)
    namespace: str
    kind: str
    family: str
    mindspore: str
    category: str
    verification: str
    summary_en: str
    summary_zh: str
    example_torch: str
    example_mindspore: str
    missing_en: str
    missing_zh: str
    document: bytes


class Edition(SQLModel, table=True):
    """A record in earlier MindSpore releases, ``first`` to ``last``, where the newest differs.

    ``apis`` are what its targets are; ``document`` is the whole record as deflated JSON, without
    evidence, which its view has.
    """

    id: int = Field(primary_key=True)
    torch: str = Field(foreign_key="record.torch", index=True)
    first: int = Field(foreign_key="release.id")
    last: int = Field(foreign_key="release.id")
    apis: list[str] = Field(sa_column=Column(JSON))
    document: bytes


class Drift(SQLModel, table=True):
    """What happens to a record or ``guide:ID`` between releases; no row where nothing does.

    ``document`` is deflated: a line for each thing that happens, with the pairs of releases between
    which it does, as ``5>7`` by their ids, and all of it as JSON.
    """

    id: int = Field(primary_key=True)
    owner: str = Field(index=True)
    document: bytes


class Target(SQLModel, table=True):
    """One way to write an API in MindSpore; rank 1 is the best."""

    id: int = Field(primary_key=True)
    torch: str = Field(foreign_key="record.torch", index=True)
    rank: int
    key: str
    api: str = Field(index=True)
    expression: str
    category: str
    verification: str
    reason: str
    ascend: bool
    gpu: bool
    cpu: bool
    ran_on: list[str] = Field(sa_column=Column(JSON))
    mindspore: str
    note_en: str
    note_zh: str


class TargetName(SQLModel, table=True):
    """A canonical MindSpore name that a target writes, as its API or inside an expression."""

    __tablename__ = "target_name"

    id: int = Field(primary_key=True)
    target: int = Field(foreign_key="target.id", index=True)
    name: str = Field(index=True)


class Parameter(SQLModel, table=True):
    """How a parameter is carried over; ``side`` is arguments, or inputs of a layer's call."""

    id: int = Field(primary_key=True)
    target: int = Field(foreign_key="target.id", index=True)
    side: str
    torch: str
    mindspore: str
    relation: str
    derived: bool
    torch_default: str | None
    mindspore_default: str | None
    value: str | None
    note_en: str
    note_zh: str


class State(SQLModel, table=True):
    """A parameter or buffer of a layer, by its name on both sides."""

    id: int = Field(primary_key=True)
    target: int = Field(foreign_key="target.id", index=True)
    torch: str
    mindspore: str | None
    value: str


class Caveat(SQLModel, table=True):
    """Something that bites; ``unverified`` says why no check shows it."""

    id: int = Field(primary_key=True)
    torch: str = Field(foreign_key="record.torch", index=True)
    slug: str
    impact: str
    parameter: str
    text_en: str
    text_zh: str
    shown_by: list[str] = Field(sa_column=Column(JSON))
    unverified_en: str
    unverified_zh: str


class Check(SQLModel, table=True):
    """A few lines for both frameworks; the owner is a record, or ``guide:`` and a guide's id.

    Not ``current`` is what a check was with an earlier MindSpore release, if that is another port.
    """

    id: int = Field(primary_key=True)
    owner: str = Field(index=True)
    slug: str
    torch: str
    mindspore: str
    ported: bool
    target: str
    expect: str
    hash: str
    current: bool


class Environment(SQLModel, table=True):
    """What checks ran in; environments that differ in MindSpore's release alone are a family."""

    id: int = Field(primary_key=True)
    name: str
    torch: str
    mindspore: str
    device: str
    machine: str
    family: int
    release: int = Field(foreign_key="release.id")


class Run(SQLModel, table=True):
    """What came out of a check in a family of environments, releases ``first`` to ``last`` alike.

    The view ``evidence`` has a row for each of the releases.
    """

    id: int = Field(primary_key=True)
    check: int = Field(foreign_key="check.id", index=True)
    family: int
    first: int = Field(foreign_key="release.id")
    last: int = Field(foreign_key="release.id")
    outcome: str
    reason: str
    message: str
    gradient: str
    torch_gave: str
    mindspore_gave: str
    variants: dict[str, Any] = Field(sa_column=Column(JSON))
    unexplained: list[str] = Field(sa_column=Column(JSON))


# The views, each with what it selects.
VIEWS = {
    "evidence": """
SELECT r.id, r."check", e.name AS environment, e.mindspore, r.outcome,
r.reason, r.message, r.gradient, r.torch_gave, r.mindspore_gave, r.variants, r.unexplained
FROM run r JOIN environment e ON e.family = r.family AND e.release BETWEEN r.first AND r.last
"""
}


class Probe(SQLModel, table=True):
    """What probing found of a PyTorch API without a record, with a release of MindSpore's.

    ``mindspore`` is the best candidate as written, with its samples and gradients; ``reason`` is
    why nothing was run. ``document`` is all of it as deflated JSON.
    """

    # What is asked of all of them is read without their documents.
    __table_args__ = (Index("ix_probe_name", "torch", "release", "reason", "namespace"),)

    id: int = Field(primary_key=True)
    torch: str
    release: int = Field(foreign_key="release.id")
    namespace: str
    mindspore: str
    reason: str
    agreed: int
    tried: int
    gradients_agreed: int
    gradients_tried: int
    ascend: bool
    gpu: bool
    cpu: bool
    document: bytes


class Reference(SQLModel, table=True):
    """A page that says something about the API."""

    id: int = Field(primary_key=True)
    torch: str = Field(index=True)
    kind: str
    url: str


class Guide(SQLModel, table=True):
    """A topic that is no single API; ``document`` is the whole guide as JSON."""

    id: str = Field(primary_key=True)
    title_en: str
    title_zh: str
    summary_en: str
    summary_zh: str
    document: str


class Source(SQLModel, table=True):
    """A document that statements were taken from; ``document`` is all of it as JSON."""

    id: str = Field(primary_key=True)
    title_en: str
    title_zh: str
    language: str
    mindspore: str
    url: str
    document: str


class Claim(SQLModel, table=True):
    """A statement of a document and what running it shows; ``document`` is all of it as JSON.

    ``until`` is the first release in which it was no longer true.
    """

    name: str = Field(primary_key=True)
    topic: str
    verdict: str
    until: str
    reason: str
    says_en: str
    says_zh: str
    now_en: str
    now_zh: str
    document: str


class ClaimPlace(SQLModel, table=True):
    """A section of a document that a statement stands in."""

    __tablename__ = "claim_place"

    id: int = Field(primary_key=True)
    claim: str = Field(foreign_key="claim.name", index=True)
    source: str = Field(foreign_key="source.id", index=True)
    section: str


class ClaimSubject(SQLModel, table=True):
    """A name that a statement is about."""

    __tablename__ = "claim_subject"

    id: int = Field(primary_key=True)
    claim: str = Field(foreign_key="claim.name", index=True)
    name: str = Field(index=True)


class Table(SQLModel, table=True):
    """A table of pairs of names that others publish."""

    __tablename__ = "pair_table"

    id: str = Field(primary_key=True)
    title_en: str
    title_zh: str
    mindspore: str
    url: str


class Pair(SQLModel, table=True):
    """A row of such a table and what running it showed; ``document`` is all of it, deflated JSON.

    ``torch`` and ``mindspore`` are as the table has them, ``torch_name`` and ``mindspore_name``
    canonical where such a name is known.
    """

    id: int = Field(primary_key=True)
    table_id: str = Field(foreign_key="pair_table.id", index=True)
    torch: str
    mindspore: str
    torch_name: str = Field(index=True)
    mindspore_name: str = Field(index=True)
    says: str
    verdict: str
    finding: str
    document: bytes


class Page(SQLModel, table=True):
    """What `msmap lookup` prints for a name, as deflated text with marks of style.

    The short page and the full one in English, then in Chinese; ``like`` is the name of the page
    whose text it is deflated with, if it isn't that of its kind.
    """

    name: str = Field(primary_key=True)
    like: str
    text: bytes


class Document(SQLModel, table=True):
    """What full-text search finds: a record, guide or probe, and the words that it is found by."""

    id: int = Field(primary_key=True)
    kind: str
    name: str
    names: str
    title: str
    body: str


class Message(SQLModel, table=True):
    """An error that was given in a check of a record, or of ``guide:ID``.

    ``text`` is what any such error says, as ``query.messages.general`` gives it.
    """

    id: int = Field(primary_key=True)
    owner: str
    slug: str
    text: str


class Synonym(SQLModel, table=True):
    """Words and short phrases of which one finds what has another, as a JSON list."""

    id: int = Field(primary_key=True)
    words: list[str] = Field(sa_column=Column(JSON))


class Mistake(SQLModel, table=True):
    """An error that is explained; ``document`` is all of it as JSON."""

    id: str = Field(primary_key=True)
    document: str


class History(SQLModel, table=True):
    """Where below ``data`` a record, ``guide:ID`` or ``release:NAME`` is written, and its changes.

    ``changes`` are the newest and the first, each a date and what was done; ``ran`` is when what
    came out of its checks was last another result. Both are empty where the database was built
    without git.
    """

    owner: str = Field(primary_key=True)
    path: str
    ran: str
    changes: list[list[str]] = Field(sa_column=Column(JSON))


class Spelling(SQLModel, table=True):
    """A name as did-you-mean compares it: the last part, and the whole."""

    # Without case and underscores: whoever asks for what is not there makes such a question.
    __table_args__ = (
        Index("ix_spelling_name", text("replace(lower(name), '_', '')")),
        Index("ix_spelling_leaf", text("replace(lower(leaf), '_', '')")),
    )

    id: int = Field(primary_key=True)
    framework: str
    name: str
    leaf: str
    curated: bool
    documented: bool


# The columns whose words are found, by table, and how words are told apart. `msmap search` asks for
# documents, did-you-mean for spellings; the others serve Datasette and sqlite-utils.
SEARCHED = {
    "document": (("names", "title", "body"), "porter unicode61"),
    # Three characters are the shortest that a misspelt name is compared by.
    "spelling": (("name",), "trigram"),
    "record": (("torch", "mindspore", "summary_en", "summary_zh"), "porter unicode61"),
    "caveat": (("torch", "slug", "text_en", "text_zh"), "porter unicode61"),
    "claim": (("says_en", "says_zh", "now_en", "now_zh"), "porter unicode61"),
    "api": (("name",), "porter unicode61"),
}

# In the order in which they are made.
ALL: tuple[type[SQLModel], ...] = (
    Meta, Dictionary, Release, Api, PastApi, Record, Edition, Drift, Target, TargetName,
    Parameter, State, Caveat, Check, Environment, Run, Probe, Reference, Guide, Source, Claim,
    ClaimPlace, ClaimSubject, Table, Pair, Page, Document, Message, Synonym, Mistake, History,
    Spelling,
)  # fmt: skip
