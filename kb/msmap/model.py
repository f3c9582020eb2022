"""What the store gives back: plain, typed, immutable objects that need no framework to read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from msmap.shown import Shown
from msmap.vocabulary import Basis


@dataclass(frozen=True, slots=True)
class Text:
    """The same text in English and in Chinese."""

    en: str
    zh: str

    def get(self, language: str) -> str:
        """The text in ``language``, ``en`` or ``zh``."""
        return self.zh if language == "zh" else self.en


@dataclass(frozen=True, slots=True)
class Case:
    """What one shape of an argument becomes; ``note`` holds unless it is what ``assumes`` says."""

    when: str
    set: dict[str, str]
    refuse: Text | None
    note: Text | None
    assumes: str = ""


@dataclass(frozen=True, slots=True)
class Parameter:
    """How a parameter is carried over; ``derived`` if it follows from the signatures.

    Positions count from 0, without ``self``; None where it is keyword-only or absent.
    """

    torch: tuple[str, ...]
    mindspore: tuple[str, ...]
    relation: str
    derived: bool
    torch_default: str | None
    mindspore_default: str | None
    torch_position: int | None
    mindspore_position: int | None
    value: str | None
    cases: tuple[Case, ...]
    allow: tuple[str, ...]
    keyword: bool
    note: Text | None


@dataclass(frozen=True, slots=True)
class State:
    """A parameter or buffer of a layer, by its name on both sides."""

    torch: str
    mindspore: str | None
    value: str
    note: Text | None
    back: str | None = None


@dataclass(frozen=True, slots=True)
class Returns:
    """How what comes back differs."""

    relation: str
    value: str | None
    fields: dict[str, str]
    text: Text


@dataclass(frozen=True, slots=True)
class Api:
    """A public name of one framework, as its release has it.

    ``since`` and ``until`` are "" where the oldest and the newest known release have the name;
    ``changed`` are the releases that changed its signature.
    """

    name: str
    framework: str
    release: str
    kind: str
    signatures: tuple[str, ...]
    call: tuple[str, ...]
    platforms: tuple[str, ...]
    deprecated: str
    since: str = ""
    until: str = ""
    changed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """One way to write the API in MindSpore; ``since``, ``until``, ``changed`` as of an Api.

    ``runs_on`` are the devices that it is documented for, ``ran_on`` those on which checks ran and
    agree: neither follows from the other.
    """

    key: str
    api: str | None
    kind: str
    expression: str | None
    remove: bool
    category: str
    verification: str
    reason: str
    signatures: tuple[str, ...]
    call: tuple[str, ...]
    runs_on: tuple[str, ...]
    deprecated: str
    given: tuple[str, ...]
    absent: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    inputs: tuple[Parameter, ...]
    state: tuple[State, ...]
    members: dict[str, str]
    returns: Returns | None
    mindspore: str
    note: Text | None
    since: str = ""
    until: str = ""
    changed: tuple[str, ...] = ()
    ran_on: tuple[str, ...] = ()

    def lacks(self, device: str) -> bool:
        """Whether it can't run on a device: no kernel was found there, or others are documented.

        A target that ran on the device runs there, whatever the documentation says. A target
        that is neither documented nor run lacks nothing that is known.
        """
        if self.remove or device in self.ran_on:
            return False
        if device == "CPU" and self.verification == "untestable" and self.reason in _NO_KERNEL:
            # Checks run on the CPU.
            return True
        return bool(self.runs_on) and device not in self.runs_on


# Why a check can't run on the CPU, where the operator is the cause.
_NO_KERNEL = ("no_kernel", "ascend_only")


def state_of(targets: Iterable[Target], key: str) -> tuple[State, ...]:
    """The state mapping of the target of that key; of the best where a check shows none of them."""
    return next((target.state for target in targets if key in (target.key, "")), ())


@dataclass(frozen=True, slots=True)
class When:
    """When a caveat bites: ``on`` is one of ``TRIGGERS``; all that is said of arguments must hold.

    ``given`` and ``omitted`` are PyTorch's parameters, ``position`` those given by position,
    ``values`` what arguments (or defaults) are, as in a case of a parameter.
    """

    on: str = "call"
    given: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    position: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Caveat:
    """Something that bites, and the checks that show it; ``device`` is where, if not everywhere.

    What is ``own`` says nothing of siblings, such as other forms of the operation. ``when`` is None
    where nobody wrote which calls it bites.
    """

    id: str
    impact: str
    text: Text
    parameter: str | None
    shown_by: tuple[str, ...]
    unverified: Text | None
    target: str | None
    mindspore: str
    variants: tuple[str, ...]
    device: tuple[str, ...] = ()
    own: bool = False
    when: When | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out of a variant of a check; ``outcome`` is one of ``VARIANT_OUTCOMES``."""

    outcome: str
    message: str = ""
    torch_gave: str = ""
    mindspore_gave: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What came out of a check in one environment.

    ``variants`` holds what came out of its variants, ``unexplained`` those that differ although
    no caveat says so.
    """

    environment: str
    outcome: str
    reason: str
    message: str
    gradient: str
    torch_gave: str
    mindspore_gave: str
    variants: dict[str, Finding]
    unexplained: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """A few lines for both frameworks; ``mindspore`` is the port where ``ported``.

    Where ``ranks`` is above 0 they run in so many processes, whose results are compared each.
    """

    id: str
    torch: str
    mindspore: str
    ported: bool
    target: str
    inputs: dict[str, dict[str, object]]
    expect: str
    gives: dict[str, str]
    gradient: bool
    modes: tuple[str, ...]
    ranks: int
    rtol: float | None
    atol: float | None
    why: Text | None
    raises: str | None
    hash: str
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """A page that says something about the API."""

    kind: str
    url: str


@dataclass(frozen=True, slots=True)
class Record(Shown):
    """One PyTorch API and what becomes of it in MindSpore, best target first.

    ``covers`` are the names that share the answer; of each of these ``family`` is the name of the
    record that was written, whose checks it has.
    """

    torch: str
    kind: str
    signatures: tuple[str, ...]
    call: tuple[str, ...]
    overloads: tuple[str, ...]
    deprecated: str
    summary: Text
    category: str
    verification: str
    targets: tuple[Target, ...]
    missing: Text | None
    caveats: tuple[Caveat, ...]
    example_torch: str
    example_mindspore: str
    checks: tuple[Check, ...]
    references: tuple[Reference, ...]
    guides: tuple[str, ...]
    covers: tuple[str, ...] = ()
    family: str = ""

    @property
    def owner(self) -> str:
        """Who has the checks."""
        return self.family or self.torch


@dataclass(frozen=True, slots=True)
class Summary:
    """One line about a record."""

    torch: str
    mindspore: str
    category: str
    verification: str
    runs_on: tuple[str, ...]
    summary: Text
    ran_on: tuple[str, ...] = ()


def summary(record: Record, target: Target | None) -> Summary:
    """One line about a record under one of its targets, or about one that has none."""
    about = record if target is None else target
    return Summary(
        torch=record.torch,
        mindspore="" if target is None else target.api or target.expression or "",
        category=about.category,
        verification=about.verification,
        runs_on=() if target is None else target.runs_on,
        summary=record.summary,
        ran_on=() if target is None else target.ran_on,
    )


_MINDSPORE_NAME = re.compile(r"(?<![\w.])mindspore(?:\.[A-Za-z_]\w*)+")


def uses(target: Target) -> tuple[str, ...]:
    """The MindSpore names that a target writes: its API, and those in expressions and values."""
    texts = [target.expression or ""]
    for p in (*target.parameters, *target.inputs):
        texts += [p.value or "", *(text for case in p.cases for text in case.set.values())]
    found = [name for text in texts for name in _MINDSPORE_NAME.findall(text)]
    return tuple(dict.fromkeys([*filter(None, [target.api]), *found]))


@dataclass(frozen=True, slots=True)
class Reverse(Shown):
    """What a MindSpore API was in PyTorch; ``rank`` 1 is the best target of that record.

    It is 0 where no record maps to the API, of records of the same operation.
    """

    api: Api
    sources: tuple[tuple[int, Summary], ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """One result of a search: a record, guide or probe.

    ``snippet`` is what a record's best target is, or the first words of a guide; ``context`` the
    words around what was found, "" where the name or the title has it. ``by`` says how it was
    found: by its ``name``, by an error ``message``, by ``words``, or by a ``guess`` at what was
    meant.
    """

    kind: str
    name: str
    title: Text
    snippet: str
    by: str = "words"
    context: Text = Text("", "")


@dataclass(frozen=True, slots=True)
class Mistake:
    """An error that is explained: the regular expressions that find it, its cause, and what to do.

    ``instead`` is code, "" if there is none to write; ``see`` are guides and names of PyTorch.
    """

    id: str
    says: tuple[str, ...]
    cause: Text
    instead: str
    see: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a guide."""

    id: str
    title: Text
    text: Text
    torch: str | None
    mindspore: str | None
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Guide(Shown):
    """A topic that is no single API."""

    id: str
    title: Text
    summary: Text
    sections: tuple[Section, ...]
    records: tuple[str, ...]
    references: tuple[Reference, ...]

    @property
    def owner(self) -> str:
        """What evidence and statements call it as the owner of checks."""
        return guide_owner(self.id)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks of all its sections."""
        return tuple(check for section in self.sections for check in section.checks)


def guide_owner(name: str) -> str:
    """What evidence and statements call the guide of that id, so that it is no record's name."""
    return f"guide:{name}"


def owned(records: Iterable[Record], guides: Iterable[Guide]) -> dict[str, tuple[Check, ...]]:
    """All checks, by the owner that evidence and statements name: a record or a guide."""
    found = {record.torch: record.checks for record in records}
    return found | {guide.owner: guide.checks for guide in guides}


@dataclass(frozen=True, slots=True)
class Refusal:
    """A place that can't be carried over, and why; ``kind`` is one of ``REFUSALS``.

    Lines count from 1, columns from 0 in characters; the end is the first place after it.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    kind: str
    source: str
    reason: Text


@dataclass(frozen=True, slots=True)
class Unread:
    """A file of which nothing could be read, and why; ``kind`` is one of ``UnreadKind``."""

    path: str
    kind: str
    reason: Text
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """What replaces a part of a source; places as of a Refusal."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Port(Shown):
    """What the rewriter makes of a source: ``code`` is None if nothing of it could be read.

    What was refused stands in it as it was; ``whole`` is the code if nothing was.

    ``targets`` are the keys of the targets used, each after the record that it is of. ``edits``
    are in order and don't overlap; together they make ``code`` of ``source``. ``basis`` is what
    each of the records rests on: where probing found it, nobody wrote it.
    """

    source: str
    code: str | None
    notes: tuple[Text, ...]
    refusals: tuple[Refusal, ...]
    records: tuple[str, ...]
    targets: tuple[tuple[str, str], ...] = ()
    edits: tuple[Edit, ...] = ()
    basis: dict[str, Basis] = field(default_factory=dict)

    @property
    def whole(self) -> str | None:
        """The code if nothing was refused, else None."""
        return None if self.refusals else self.code
