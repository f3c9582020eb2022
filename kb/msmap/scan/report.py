"""What a scan answers with, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from msmap.database import ANSWERS_VERSION
from msmap.model import Text, Unread
from msmap.scan.terms import Certainty, Status
from msmap.shown import Shown


@dataclass(frozen=True, slots=True)
class Told:
    """A caveat that a place triggers: ``on`` is one of ``TRIGGERS``.

    ``mended``: the port is written so that it doesn't bite.
    """

    id: str
    on: str
    impact: str
    text: Text
    mended: bool
    device: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Site:
    """A place where code uses PyTorch, or may.

    Lines count from 1, columns from 0 in characters; the end is the first place after it. In a
    notebook lines are those of the cell. ``utf16`` are both columns in code units of UTF-16.
    ``rule`` is "" where there is nothing to say. ``apis`` are
    PyTorch's canonical names, several where any may be meant; ``port`` is what the place becomes,
    "" where it stays. ``likely``: its usual name says that it is PyTorch's, though nothing proves
    it. ``state`` is "", ignored (by a comment) or known (in the baseline). ``guide`` is the id of
    the guide to read on what stays, "" if there is none.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    cell: int | None
    certainty: Certainty
    status: Status
    rule: str
    apis: tuple[str, ...]
    source: str
    port: str
    target: str
    reason: Text | None
    notes: tuple[Text, ...]
    caveats: tuple[Told, ...]
    likely: bool
    fingerprint: str
    utf16: tuple[int, int]
    state: str = ""
    guide: str = ""

    @property
    def counts(self) -> bool:
        """Whether it is a finding that nobody has dealt with."""
        return bool(self.rule) and not self.state

    @property
    def told(self) -> tuple[Text, ...]:
        """All that there is to say of it: why it stays, what to read of that, notes, what bites."""
        reasons = (self.reason,) if self.reason is not None else ()
        named = any(f"msmap guide {self.guide}" in reason.en for reason in reasons)
        guides = (_guide(self.guide),) if self.guide and not named else ()
        bites = (told.text for told in self.caveats if not told.mended)
        return (*reasons, *guides, *self.notes, *bites)


def _guide(name: str) -> Text:
    return Text(f"The whole of it: msmap guide {name}", f"完整说明：msmap guide {name}")


@dataclass(frozen=True, slots=True)
class Unused:
    """A comment that ignores nothing, or of its rules these don't."""

    path: str
    line: int
    cell: int | None
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scanned:
    """What stands in a file; ``trains``: something in it is put into training mode."""

    path: str
    sites: tuple[Site, ...]
    unused: tuple[Unused, ...]
    unread: tuple[Unread, ...] = ()
    trains: bool = False


@dataclass(frozen=True, slots=True)
class Counts:
    """How many places are of each status and certainty, and how many findings of each rule.

    What a comment or the baseline takes out counts as ``ignored`` or ``known`` alone.
    """

    status: dict[str, int]
    certainty: dict[str, int]
    rule: dict[str, int]
    ignored: int
    known: int

    @property
    def sites(self) -> int:
        """All places that count."""
        return sum(self.status.values())


@dataclass(frozen=True, slots=True)
class Api:
    """A name of PyTorch's with the places that use it by status; ``target`` is the commonest."""

    api: str
    target: str
    status: dict[str, int]

    @property
    def sites(self) -> int:
        """All places that use it."""
        return sum(self.status.values())


@dataclass(frozen=True, slots=True)
class InFile:
    """A file with its places by status."""

    path: str
    status: dict[str, int]


@dataclass(frozen=True, slots=True)
class Report(Shown):
    """What ``msmap scan`` found: counts, names and files the worst first, and every place.

    ``gone`` are fingerprints of the baseline that nothing has any more.
    """

    schema_version: int = field(default=ANSWERS_VERSION, kw_only=True)
    version: str
    releases: dict[str, str]
    device: str
    read: int
    counts: Counts
    apis: tuple[Api, ...]
    files: tuple[InFile, ...]
    sites: tuple[Site, ...]
    unread: tuple[Unread, ...]
    unused: tuple[Unused, ...]
    gone: tuple[str, ...] = ()
