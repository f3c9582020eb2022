"""Rules found by name, and run over all records and guides."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from msmap import model, records, schema, store
from msmap.assemble import Base
from msmap.problems import Problem
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
        DataError: files that can't be loaded at all.
    """
    rules = {name: r for name, r in load_rules().items() if name not in skip}
    base = store.read(directory)
    loaded, guides = records.load(directory)
    found: list[Problem] = []
    for item in loaded:
        subject = Subject(item, base.records[item.item.torch], base, directory)
        for name, function in rules.items():
            found += [item.problem(name, text, *where) for text, where in function(subject)]
    for guide in guides:
        for torch in guide.item.records:
            if torch not in base.records:
                found.append(guide.problem("guide-records", f"no record of {torch}", "records"))
    return sorted(found, key=lambda p: (str(p.path), p.line, p.message))
