"""The rows of probes, which stand after those of all owners, and what is kept of them."""

from __future__ import annotations

import hashlib
import marshal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from msmap import cache, names
from msmap.assemble import probes
from msmap.assemble.content import Content
from msmap.assemble.probes import Line
from msmap.problems import DataError, Problem
from msmap.query.names import guides_of as about
from msmap.store import documents, file, rows, shapes, stale
from msmap.store.file import Gone
from msmap.store.shapes import Lines, Shape
from msmap.store.stale import Ages

# Names beside a probe, as ``KnowledgeBase.siblings`` gives.
_SIBLINGS = 5
# What is found of a name with a release, by its id, and how its rows were made of it.
Found: TypeAlias = dict[tuple[str, int], Line]
_Kept: TypeAlias = dict[tuple[str, int], tuple[bytes, bytes]]


# Frozen, it would take longer to be unpickled.
@dataclass(slots=True)
class Tried:
    """What is kept of the probes beside their rows.

    Args:
        made_of: a digest of all that the rows are made of.
        ages: which of the lines of the newest release are stale.
        mentions: the guides that have a name of PyTorch in them, by name.
        problems: the lines that could not be read.
    """

    made_of: bytes
    ages: Ages
    mentions: dict[str, tuple[str, ...]]
    problems: tuple[Problem, ...]
    count: int


def mentions(found: Content) -> dict[str, tuple[str, ...]]:
    """The guides that have a name of PyTorch in them, by name."""
    index = about.index((n, documents.encoded(guide)) for n, guide in found.base.guides.items())
    told = ((name, about.telling(name, index)) for name in found.base.torch.apis)
    return {name: guides for name, guides in told if guides}


def look(found: Content, problems: list[Problem]) -> Found:
    """What stands in the files of probes, of names without a record; what is wrong is added.

    What wasn't tried with the newest release may have been with one before it.
    """
    return {
        (name, release): line
        for release, base in rows.numbered(found).items()
        for name, line in probes.lines(
            found.directory, base, problems, older=base is found.base
        ).items()
    }


def ages(
    found: Content, told: Found, before: Ages | None = None, files: Mapping[str, str] | None = None
) -> Ages:
    """Which lines of the newest release are stale; arguments as for ``stale.look``."""
    newest = max(rows.numbered(found))
    mine = {name: line for (name, release), line in told.items() if release == newest}
    return stale.look(found, mine, before, files)


def digest(told: Found, mentioned: Mapping[str, tuple[str, ...]], old: Ages) -> bytes:
    """Another one where any row would be another."""
    made = hashlib.sha256()
    for (name, release), line in told.items():
        said = f"{name} {release} {mentioned.get(name)} {old.word(name)}\n"
        made.update(said.encode() + line.digest)
    return made.digest()


def made(
    tables: Mapping[str, Shape], found: Content, told: Found,
    mentioned: dict[str, tuple[str, ...]], old: Ages, folder: Path | None,
    problems: list[Problem],
) -> tuple[Tried, Lines]:  # fmt: skip
    """What is kept of all probes, and their rows, numbered from 1.

    Those of a line that is as it was are taken as they were from ``folder``, if there is one.
    """
    lines: Lines = {}
    for part in _parts(tables, found, told, mentioned, old, folder, problems):
        by = {table: len(lines.get(table, ())) for table in part}
        shapes.add(lines, shapes.moved(tables, part, by))
    count = len(lines.get("probe", ()))
    made_of = digest(told, mentioned, old)
    return Tried(made_of, old, mentioned, tuple(problems), count), lines


def _parts(
    tables: Mapping[str, Shape], found: Content, told: Found,
    mentioned: Mapping[str, tuple[str, ...]], old: Ages, folder: Path | None,
    problems: list[Problem],
) -> Iterator[Lines]:  # fmt: skip
    """The rows of each probe, numbered from 1."""
    bases = rows.numbered(found)
    joining = {n: probes.Joining(base.torch, base.mindspore) for n, base in bases.items()}
    alike = _alike((*found.base.torch.apis, *found.base.mindspore.apis))

    def beside(name: str, release: int) -> rows.Beside | None:
        if bases[release] is not found.base:
            return None
        near = names.siblings(name, alike.get(names.stem(name), ()), found.base.records)
        return near[:_SIBLINGS], mentioned.get(name, ())

    def make(
        name: str, release: int, line: Line, near: rows.Beside | None
    ) -> Lines | None:  # fmt: skip
        try:
            word = old.word(name) if bases[release] is found.base else ""
            probe = joining[release].probe(line, word)
        except DataError as error:
            problems.extend(error.problems)
            return None
        return shapes.lines(tables, rows.of_probe(probe, release, near))

    wanted = ((key, line, beside(*key)) for key, line in told.items())
    if folder is None or not told:
        yield from filter(None, (make(*key, line, near) for key, line, near in wanted))
        return
    place = (folder, cache.name("probes", found.directory))
    before: _Kept = cache.read(*place) or {}
    packed: _Kept = {}
    signatures = _signatures(found)
    for key, line, near in wanted:
        said = f"{signatures} {near} {old.word(key[0])}\n"
        of = hashlib.sha256(said.encode() + line.digest).digest()
        kept = before.get(key)
        if kept is None or kept[0] != of:
            made = make(*key, line, near)
            if made is None:
                continue
            kept = of, marshal.dumps(made)
        packed[key] = kept
    if packed != before:
        cache.write(*place, packed)
    yield from (marshal.loads(data) for _, data in packed.values())


def _signatures(found: Content) -> str:
    """A digest of all signatures."""
    made = hashlib.sha256()
    for path in sorted((found.directory / "signatures").glob("*.jsonl")):
        made.update(path.read_bytes())
    return made.hexdigest()


def _alike(known: Iterable[str]) -> dict[str, list[str]]:
    """Names by the stem that they share."""
    found: dict[str, list[str]] = {}
    for name in known:
        found.setdefault(names.stem(name), []).append(name)
    return found


def placed(
    tables: Mapping[str, Shape], found: Content, owners: int, pages: int, lines: Lines
) -> Lines:  # fmt: skip
    """Rows as the database has them: after those of all owners, and the pages of MindSpore."""
    by = {"document": owners, "page": pages + len(found.base.mindspore.apis)}
    return shapes.moved(tables, lines, by)


def gone(found: Content, owners: int, pages: int) -> list[Gone]:
    """The rows of all probes; arguments as for ``placed``."""
    pages += len(found.base.mindspore.apis)
    return [
        (table, first + 1, file.LAST)
        for table, first in (("probe", 0), ("document", owners), ("page", pages))
    ]
