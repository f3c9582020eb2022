"""What of probing is no longer up to date: found of something else than would be run now.

What is run follows from the signatures, from what tables pair, and from what records of siblings
map to; so those records are kept with each answer, and nothing is asked again until one changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from msmap.assemble import narrow, tables
from msmap.assemble.content import Content
from msmap.assemble.probes import Line
from msmap.curated import load, schema
from msmap.evidence import names, probes

if TYPE_CHECKING:
    from msmap.probe.bench import Bench


# Not frozen, since it would take longer to be unpickled.
@dataclass(slots=True)
class Age:
    """What is known of a line: its digest, why it is stale, and the records that this rests on."""

    line: bytes
    word: str
    asked: frozenset[str]


@dataclass(slots=True)
class Ages:
    """The same of every line of the newest release, by name; ``tables`` digests what they pair."""

    tables: bytes = b""
    of: dict[str, Age] = field(default_factory=dict)

    def word(self, name: str) -> str:
        """Why what was found of a name is stale, one of ``vocabulary.STALE``; "" if it isn't."""
        age = self.of.get(name)
        return age.word if age is not None else ""


def look(
    found: Content, told: Mapping[str, Line], before: Ages | None = None,
    files: Mapping[str, str] | None = None,
) -> Ages:  # fmt: skip
    """How old what probing found with the newest release is.

    Args:
        found: all that was read, or what has changed since.
        told: the lines, by name.
        before: what was known when all else was read.
        files: what each file is about, where not all was read.
    """
    paired = repr([written.item for written in found.files.tables]).encode()
    made = Ages(hashlib.sha256(paired).digest())
    changed = {record.name for record in found.files.records}
    old = before.of if before is not None and before.tables == made.tables else {}
    written = _Asked(found, {name: path for path, name in (files or {}).items()})
    bench: Bench | None = None
    for name, line in told.items():
        age = old.get(name)
        if age is None or age.line != line.digest or not age.asked.isdisjoint(changed):
            if bench is None:
                bench = _bench(found, written)
            written.asked = set()
            word = _word(bench, name, line)
            age = Age(line.digest, word, frozenset(written.asked))
        made.of[name] = age
    return made


def _bench(found: Content, written: _Asked) -> Bench:
    # Most builds need none of it.
    from msmap.probe.bench import Bench

    published = tables.published(found.base, (table.item for table in found.files.tables))
    return Bench(found.base, published, written)


def _word(bench: Bench, name: str, line: Line) -> str:
    ran = names.parse(line.environment)
    for where, side in ((ran.torch, bench.torch), (ran.mindspore, bench.mindspore)):
        if where and where != side.release:
            return "release"
    from msmap.probe.samples import LIMIT

    try:
        probe = probes.parse(line.text)
    except (ValueError, TypeError, AttributeError, KeyError):  # told where it is joined
        return ""
    now = bench.hash(bench.chosen(name), probe.limit or LIMIT)
    return "" if now == probe.hash else "changed"


class _Asked(Mapping[str, schema.Record]):
    """The records as people wrote them, read where that wasn't done yet; notes who is asked."""

    def __init__(self, found: Content, paths: Mapping[str, str]) -> None:
        self.asked: set[str] = set()
        self._base, self._paths = found.base, paths
        self._read: dict[str, schema.Record] = {}

    def __contains__(self, name: object) -> bool:
        self.asked.add(str(name))
        return name in self._base.records

    def __getitem__(self, name: str) -> schema.Record:
        if name not in self:
            raise KeyError(name)
        record = self._base.written.get(name) or self._read.get(name)
        if record is None:
            newest = self._base.mindspore
            whole = load.read_record(Path(self._paths[name])).item
            record = self._read[name] = narrow.record(whole, newest, newest)
        return record

    def __iter__(self) -> Iterator[str]:
        return iter(self._base.records)

    def __len__(self) -> int:
        return len(self._base.records)
