"""Rules found by name, and run over all records and guides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from msmap import content, model, schema
from msmap.assemble import Base
from msmap.content import Content
from msmap.problems import DataError, Problem
from msmap.records import Loaded

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


Rule = Callable[[Subject], Found]
RULES: dict[str, Rule] = {}


def rule(function: Rule) -> Rule:
    """Register a rule under its function's name, with dashes; its docstring documents it."""
    RULES[function.__name__.replace("_", "-")] = function
    return function


def load_rules() -> dict[str, Rule]:
    """All rules by name."""
    from msmap.lint import checks, parameters, texts  # noqa: F401 - they register their rules

    return RULES


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
    said: list[Problem] = []
    for item in found.records:
        subject = Subject(item, found.base.records[item.item.torch], found.base, found.directory)
        for name, function in load_rules().items():
            if name in only:
                said += [item.problem(name, text, *where) for text, where in function(subject)]
    for guide in found.guides:
        said += [p for p in _guide(guide, found.base) if p.rule in only]
    return sorted(said, key=lambda p: (str(p.path), p.line, p.message))


def _guide(guide: Loaded[schema.Guide], base: Base) -> Iterator[Problem]:
    for torch in guide.item.records:
        if torch not in base.records:
            yield guide.problem("guides-exist", f"no record of {torch}", "records")
    for index, section in enumerate(guide.item.sections):
        for number, check in enumerate(section.checks):
            if port := base.failed_ports.get((f"guide:{guide.item.id}", check.id)):
                yield guide.problem(
                    "check-can-be-ported", unported(f"check `{check.id}`", port),
                    "sections", index, "checks", number,
                )  # fmt: skip


def unported(what: str, port: model.Port) -> str:
    """Why a check or an example can't be ported, in one sentence."""
    reasons = "; ".join(dict.fromkeys(r.reason.en for r in port.refusals))
    return f"{what} can't be ported: {reasons}"
