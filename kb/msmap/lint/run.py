"""The rules, run over everything that people write."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from msmap.assemble import content
from msmap.assemble.content import Content
from msmap.curated.load import Loaded
from msmap.lint.rule import Scope, Subject, Topic
from msmap.lint.rules import RULES
from msmap.problems import DataError, Problem


def run(directory: Path, skip: Collection[str] = (), *, generation: int) -> list[Problem]:
    """All problems below a data directory, by file and line, but for the rules in ``skip``.

    ``generation`` is that of the variants, as for ``content.read``.

    Raises:
        DataError: files that can't be loaded at all, or a rule that doesn't exist.
    """
    unknown = sorted(set(skip) - set(RULES))
    if unknown:
        message = f"no rule {', '.join(unknown)}; `msmap lint --rules` lists them"
        raise DataError([Problem(directory, 1, message)])
    found = content.read(directory, generation=generation)
    return _sorted([*found.problems, *problems(found, only=set(RULES) - set(skip))])


def problems(found: Content, only: Collection[str]) -> list[Problem]:
    """What the rules named in ``only`` say of all that was read, by file and line."""
    wanted = [rule for rule in RULES.values() if rule.name in only]
    said = [
        item.problem(rule.name, text, *where)
        for scope, item, subject in _subjects(found)
        for rule in wanted
        if rule.scope == scope
        for text, where in rule.function(subject)
    ]
    return _sorted(said)


def _sorted(said: list[Problem]) -> list[Problem]:
    return sorted(said, key=lambda p: (str(p.path), p.line, p.message))


def _subjects(found: Content) -> Iterator[tuple[Scope, Loaded[Any], Subject | Topic[Any]]]:
    """Every file with what rules of each scope are given of it."""
    files = found.files
    for record in files.records:
        yield "record", record, Subject(record, found.base.records[record.item.torch], found)
    others: tuple[tuple[Scope, list[Any]], ...] = (
        ("guide", files.guides),
        ("claims", files.claims),
        ("source", files.sources),
        ("text", [*files.records, *files.guides, *files.claims, *files.sources]),
    )
    for scope, items in others:
        for item in items:
            yield scope, item, Topic(item.item, found)
