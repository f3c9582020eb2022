"""The rules, run over everything that people write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from msmap.assemble import kept
from msmap.assemble.content import Content
from msmap.assemble.kept import Reading
from msmap.curated.load import Loaded
from msmap.lint.rule import Scope, Subject, Topic
from msmap.lint.rules import RULES
from msmap.messages import Message
from msmap.problems import DataError, Problem


def run(
    directory: Path,
    skip: Collection[str] = (),
    names: Collection[str] | None = None,
    *,
    generation: int,
    cache: Path | None = None,
) -> list[Problem]:
    """All problems below a data directory, by file and line.

    Args:
        directory: the data directory.
        skip: the rules to leave out.
        names: the records, guides, topics and documents to look at; all if None.
        generation: that of the variants, as for ``content.read``.
        cache: the folder in which earlier runs have left what they found; None to do without.

    Raises:
        DataError: files that can't be loaded at all, or a rule that doesn't exist.
    """
    unknown = sorted(set(skip) - set(RULES))
    if unknown:
        message = Message("no rule {}; `msmap lint --rules` lists them", ", ".join(unknown))
        raise DataError([Problem(directory, 1, message)])
    # Statements rest on the checks of whatever records and guides they name.
    places = [directory / kind / f"{n}.yaml" for n in names or () for kind in ("claims", "sources")]
    about = None if any(place.exists() for place in places) else names
    reading = kept.read(directory, cache, generation=generation, about=about)
    found = reading.found
    if cache is None or about is not None:
        said = problems(found, set(RULES) - set(skip), names)
        return _sorted([*(found.problems if names is None else ()), *said])
    said = _all(reading, names)
    return [p for p in said if p.rule not in skip]


def _all(reading: Reading, names: Collection[str] | None) -> list[Problem]:
    """All problems, or those of some names, of which files that are as they were need no rule."""
    found = reading.found
    told: dict[str, list[Problem]] = {str(item.path): [] for item in found.files.owners()}
    others = list(found.problems)
    for path, problem in _problems(found, RULES):
        told.get(str(path), others).append(problem)
    told = {**reading.told, **told}
    # Of all rules, for a run that leaves out others.
    reading.keep(told)
    if names is None:
        return _sorted([*others, *chain.from_iterable(told.values())])
    mine = [p for p in others if reading.names.get(str(p.path)) in names]
    mine += (p for path, found in told.items() if reading.names.get(path) in names for p in found)
    return _sorted(mine)


def problems(
    found: Content, only: Collection[str], names: Collection[str] | None = None
) -> list[Problem]:
    """What the rules ``only`` say of what was read, or of what ``names`` are, by file and line."""
    return _sorted([problem for _, problem in _problems(found, only, names)])


def _problems(
    found: Content, only: Collection[str], names: Collection[str] | None = None
) -> Iterator[tuple[Path, Problem]]:
    """The same, with the file of what a rule looked at: what is wrong may stand in a family's."""
    wanted = [rule for rule in RULES.values() if rule.name in only]
    for scope, item, subject in _subjects(found):
        if names is not None and item.name not in names:
            continue
        for rule in wanted:
            if rule.scope == scope:
                for text, where, *lines in rule.function(subject):
                    yield item.path, item.problem(rule.name, text, *where, mend="".join(lines))


def _sorted(said: Iterable[Problem]) -> list[Problem]:
    # What is wrong in a family is wrong in each of its records.
    return sorted(set(said), key=lambda p: (str(p.path), p.line, p.message))


def _subjects(found: Content) -> Iterator[tuple[Scope, Loaded[Any], Subject | Topic[Any]]]:
    """Every file with what rules of each scope are given of it."""
    files = found.files
    for record in files.records:
        yield "record", record, Subject(record, found.base.records[record.item.torch], found)
    others: tuple[tuple[Scope, list[Any]], ...] = (
        ("guide", files.guides),
        ("claims", files.claims),
        ("source", files.sources),
        ("mistake", files.mistakes),
        ("family", files.families),
        (
            "text",
            [*files.owners(), *files.claims, *files.sources, *files.mistakes, *files.families],
        ),
    )
    for scope, items in others:
        for item in items:
            yield scope, item, Topic(item, found)
