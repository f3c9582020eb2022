"""Rules found by name, and run over everything that people write."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msmap import model
from msmap.assemble import content
from msmap.assemble.content import Content
from msmap.assemble.records import Base
from msmap.curated import schema
from msmap.curated.load import Loaded
from msmap.problems import DataError, Problem

Found = Iterator[tuple[str, tuple[str | int, ...]]]


@dataclass(frozen=True, slots=True)
class Subject:
    """A record as written and as joined with the signatures, and everything else there is."""

    loaded: Loaded[schema.Record]
    record: model.Record
    base: Base
    directory: Path

    @property
    def written(self) -> schema.Record:
        """The record as it stands in its file."""
        return self.loaded.item

    def targets(self) -> Iterator[tuple[int, schema.Target, model.Target]]:
        """The targets that the newest release has: place in the file, as written, as joined."""
        joined = {t.key: t for t in self.record.targets}
        for index, target in enumerate(self.written.targets):
            if target.key in joined:
                yield index, target, joined[target.key]


@dataclass(frozen=True, slots=True)
class Topic:
    """The statements about one topic as written, all others, and everything else there is."""

    written: schema.Claims
    found: Content


Rule = Callable[[Subject], Found]
TextRule = Callable[[schema.Model], Found]
GuideRule = Callable[[schema.Guide, Base], Found]
ClaimRule = Callable[[Topic], Found]
SourceRule = Callable[[schema.Source, Content], Found]
RULES: dict[str, Rule] = {}
TEXT_RULES: dict[str, TextRule] = {}
GUIDE_RULES: dict[str, GuideRule] = {}
CLAIM_RULES: dict[str, ClaimRule] = {}
SOURCE_RULES: dict[str, SourceRule] = {}


def _name(function: Callable[..., Found]) -> str:
    return function.__name__.replace("_", "-")


def rule(function: Rule) -> Rule:
    """Register a rule of records under its function's name, with dashes; its docstring is shown."""
    RULES[_name(function)] = function
    return function


def text_rule(function: TextRule) -> TextRule:
    """The same for a rule about the texts of any file."""
    TEXT_RULES[_name(function)] = function
    return function


def guide_rule(function: GuideRule) -> GuideRule:
    """The same for a rule of guides."""
    GUIDE_RULES[_name(function)] = function
    return function


def claim_rule(function: ClaimRule) -> ClaimRule:
    """The same for a rule of statements."""
    CLAIM_RULES[_name(function)] = function
    return function


def source_rule(function: SourceRule) -> SourceRule:
    """The same for a rule of documents."""
    SOURCE_RULES[_name(function)] = function
    return function


def load_rules() -> dict[str, Callable[..., Found]]:
    """All rules by name; one name may stand for a rule of records and one of guides."""
    from msmap.lint.rules import checks, claims, guides, parameters, texts  # noqa: F401 - they register

    return {**GUIDE_RULES, **CLAIM_RULES, **SOURCE_RULES, **TEXT_RULES, **RULES}


def run(directory: Path, skip: Collection[str] = ()) -> list[Problem]:
    """All problems below a data directory, by file and line, but for the rules in ``skip``.

    Raises:
        DataError: files that can't be loaded at all, or a rule that doesn't exist.
    """
    unknown = sorted(set(skip) - set(load_rules()))
    if unknown:
        message = f"no rule {', '.join(unknown)}; `msmap lint --rules` lists them"
        raise DataError([Problem(directory, 1, message)])
    return problems(content.read(directory), only=set(load_rules()) - set(skip))


def problems(found: Content, only: Collection[str]) -> list[Problem]:
    """What the rules named in ``only`` say of all that was read, by file and line."""
    load_rules()
    said: list[Problem] = []

    def tell(item: Loaded[Any], rules: dict[str, Any], *given: Any) -> None:
        for name, function in rules.items():
            if name in only:
                said.extend(item.problem(name, text, *where) for text, where in function(*given))

    files = found.files
    for item in files.records:
        base = found.base
        tell(item, RULES, Subject(item, base.records[item.item.torch], base, found.directory))
    for guide in files.guides:
        tell(guide, GUIDE_RULES, guide.item, found.base)
    for topic in files.claims:
        tell(topic, CLAIM_RULES, Topic(topic.item, found))
    for source in files.sources:
        tell(source, SOURCE_RULES, source.item, found)
    everything: list[Loaded[Any]] = [*files.records, *files.guides, *files.claims, *files.sources]
    for written in everything:
        tell(written, TEXT_RULES, written.item)
    return sorted(said, key=lambda p: (str(p.path), p.line, p.message))


def unported(what: str, port: model.Port) -> str:
    """Why a check or an example can't be ported, in one sentence."""
    reasons = "; ".join(dict.fromkeys(r.reason.en for r in port.refusals))
    return f"{what} can't be ported: {reasons}"
