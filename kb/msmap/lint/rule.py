"""What a rule is, what it is given, and the registry of all rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from msmap import model
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.curated import schema
from msmap.curated.load import Loaded
from msmap.lint.mend import Where
from msmap.messages import Message

# What is wrong, the keys that lead there, and what `mend` makes of it where it can be mended so.
Found = Iterator[tuple[str, Where] | tuple[str, Where, str]]
# What a rule is about; text: every file, for what people read in it.
Scope = Literal["record", "guide", "claims", "source", "mistake", "family", "text"]
M = TypeVar("M", bound=schema.Model)
F = TypeVar("F", bound=Callable[[Any], Found])


@dataclass(frozen=True, slots=True)
class Subject:
    """A record as written and as joined with the signatures, and everything else there is."""

    loaded: Loaded[schema.Record]
    record: model.Record
    found: Content

    @property
    def written(self) -> schema.Record:
        """The record as it stands in its file."""
        return self.loaded.item

    @property
    def base(self) -> Base:
        """Everything joined, for the newest release."""
        return self.found.base

    def targets(self) -> Iterator[tuple[int, schema.Target, model.Target]]:
        """The targets that the newest release has: place in the file, as written, as joined."""
        joined = {t.key: t for t in self.record.targets}
        for index, target in enumerate(self.written.targets):
            if target.key in joined:
                yield index, target, joined[target.key]


@dataclass(frozen=True, slots=True)
class Topic(Generic[M]):
    """Another file, a guide, statements or a document; and everything else there is."""

    loaded: Loaded[M]
    found: Content

    @property
    def written(self) -> M:
        """What the file says."""
        return self.loaded.item


@dataclass(frozen=True, slots=True)
class Rule:
    """A function that says what is wrong with something, and where; ``doc`` is shown to users."""

    name: str
    scope: Scope
    function: Callable[[Any], Found]

    @property
    def doc(self) -> str:
        """What it asks for, in a sentence or a few: a paragraph a line."""
        paragraphs = (self.function.__doc__ or "").strip().split("\n\n")
        return "\n".join(" ".join(text.split()) for text in paragraphs)


RULES: dict[str, Rule] = {}


def rule(scope: Scope) -> Callable[[F], F]:
    """Register a rule under its function's name, with dashes: of a ``Subject`` or a ``Topic``.

    Raises:
        ValueError: there is a rule of that name.
    """

    def register(function: F) -> F:
        name = function.__name__.replace("_", "-")
        if name in RULES:
            raise ValueError(f"two rules are named {name}")
        RULES[name] = Rule(name, scope, function)
        return function

    return register


def unported(what: str, port: model.Port) -> str:
    """Why a check or an example can't be ported, in one sentence."""
    reasons = "; ".join(dict.fromkeys(r.reason.en for r in port.refusals))
    return Message("{} can't be ported: {}", what, reasons)
