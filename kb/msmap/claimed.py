"""Statements of documents, and what running them showed, as readers get them."""

from __future__ import annotations

from dataclasses import dataclass

from msmap.model import Text


@dataclass(frozen=True, slots=True)
class Shown:
    """A check that shows a verdict, by owner and id as in evidence; its outcome by environment."""

    owner: str
    check: str
    outcomes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a statement stands: a section of a document."""

    source: str
    section: str


@dataclass(frozen=True, slots=True)
class Proof:
    """Lines that run on another framework, and what they print there."""

    code: str
    gives: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a document and what running it shows.

    ``title`` is that of the topic, ``until`` the first release in which it was no longer true,
    ``now`` what is true.
    """

    topic: str
    title: Text
    id: str
    says: Text
    stands_in: tuple[Place, ...]
    about: tuple[str, ...]
    verdict: str
    until: str
    reason: str
    now: Text | None
    shown_by: tuple[Shown, ...]
    tensorflow: Proof | None
    contradicts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The topic and the id, as other statements refer to it."""
        return f"{self.topic}/{self.id}"


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a document, and the guides and records that cover its topic."""

    id: str
    title: Text
    covered_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A document that statements were taken from, and the MindSpore release it was written for."""

    id: str
    title: Text
    language: str
    mindspore: str
    url: str
    sections: tuple[Part, ...]
