"""The rules, run over everything that people write."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from msmap.assemble import content
from msmap.assemble.content import Content
from msmap.curated.load import Loaded
from msmap.curated.schema import Record
from msmap.lint.rule import Scope, Subject, Topic
from msmap.lint.rules import RULES
from msmap.problems import DataError, Problem


def run(
    directory: Path,
    skip: Collection[str] = (),
    names: Collection[str] | None = None,
    *,
    generation: int,
) -> list[Problem]:
    """All problems below a data directory, by file and line.

    Args:
        directory: the data directory.
        skip: the rules to leave out.
        names: the records, guides, topics and documents to look at; all if None.
        generation: that of the variants, as for ``content.read``.

    Raises:
        DataError: files that can't be loaded at all, or a rule that doesn't exist.
    """
    unknown = sorted(set(skip) - set(RULES))
    if unknown:
        message = f"no rule {', '.join(unknown)}; `msmap lint --rules` lists them"
        raise DataError([Problem(directory, 1, message)])
    # Statements rest on the checks of whatever records and guides they name.
    places = [directory / kind / f"{n}.yaml" for n in names or () for kind in ("claims", "sources")]
    about = None if any(place.exists() for place in places) else names
    found = content.read(directory, generation=generation, about=about)
    said = problems(found, set(RULES) - set(skip), names)
    return _sorted([*(found.problems if names is None else ()), *said])


def problems(
    found: Content, only: Collection[str], names: Collection[str] | None = None
) -> list[Problem]:
    """What the rules ``only`` say of what was read, or of what ``names`` are, by file and line."""
    wanted = [rule for rule in RULES.values() if rule.name in only]
    said = [
        item.problem(rule.name, text, *where)
        for scope, item, subject in _subjects(found)
        if names is None or _name(item) in names
        for rule in wanted
        if rule.scope == scope
        for text, where in rule.function(subject)
    ]
    return _sorted(said)


def _name(item: Loaded[Any]) -> str:
    return str(item.item.torch if isinstance(item.item, Record) else item.item.id)


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
