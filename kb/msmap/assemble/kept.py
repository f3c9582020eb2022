"""Everything below a data directory, of which only what has changed is put together again.

A record is put together of its file, the signatures and its evidence; its checks are ported by the
records that the rewriter asked for, as far as these decide how code is ported. Lint looks at it
again too where a sibling has changed. What is written of statements and documents is about
everything, and always looked at.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from msmap import cache, model
from msmap.assemble import content
from msmap.assemble import seen as seeing
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.assemble.seen import Look, Seen
from msmap.curated import load
from msmap.curated.load import Files, Loaded
from msmap.evidence import files
from msmap.kin import Kin, best_api
from msmap.messages import Message
from msmap.problems import DataError, Problem

T = TypeVar("T")


# None of these is frozen: it would take longer to be unpickled.
@dataclass(slots=True)
class Owner:
    """A record or guide as it was put together; ``joined`` is pickled, as ``_Shelf`` reads it.

    ``best`` is the API of a record's best target, ``covers`` the names that share its answer.
    """

    evidence: bytes
    told: bytes
    asked: frozenset[str]
    joined: bytes
    best: str = ""
    covers: tuple[str, ...] = ()


@dataclass(slots=True)
class File:
    """What a file is about; ``owner`` is whose evidence that has, if it has any."""

    folder: str
    name: str
    owner: str = ""


@dataclass(slots=True)
class Kept:
    """What an earlier run has left.

    ``told`` and ``whole`` are the command's own, by file and of everything; ``file`` is the digest
    of the file that it left beside this. Paths are texts here.
    """

    seen: Seen
    files: dict[str, File]
    owners: dict[str, Owner]
    others: dict[str, bytes]
    signatures: bytes
    told: dict[str, Any] = field(default_factory=dict)
    whole: Any = None
    file: bytes = b""


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: of records and guides those in ``redone`` alone, if that isn't None.

    ``told`` and ``whole`` are what the command has kept, of every file and of everything. Paths are
    texts.
    """

    found: Content
    names: Mapping[str, str]
    redone: frozenset[str] | None = None
    told: Mapping[str, Any] = field(default_factory=dict)
    whole: Any = None
    _place: tuple[Path, str] | None = None
    _file: bytes = b""
    _kept: Kept | None = None

    def file(self) -> bytes | None:
        """The file that was left for this run; None if it isn't there any more."""
        if self._place is None or not self._file:
            return None
        return cache.load(*_beside(self._place), self._file)

    def keep(
        self, told: dict[str, Any], whole: Any = None, file: Path | None = None
    ) -> None:  # fmt: skip
        """Leave all this for the next run, with what the command wants to find then, and a file."""
        if self._kept is not None and self._place is not None:
            self._kept.told, self._kept.whole = told, whole
            if file is not None:
                self._kept.file = cache.save(*_beside(self._place), file.read_bytes())
            cache.write(*self._place, self._kept)


def _beside(place: tuple[Path, str]) -> tuple[Path, str]:
    return place[0], f"{place[1]}-file"


def read(
    directory: Path,
    folder: Path | None,
    *,
    generation: int,
    every: bool = False,
    about: Collection[str] | None = None,
    anew: bool = False,
) -> Reading:
    """Everything below a data directory, as ``content.read`` does, or ``read_all`` if ``every``.

    Args:
        directory: the data directory.
        folder: where earlier runs have left what they worked out; None to do without.
        generation: as for ``content.read``.
        every: with the earlier releases.
        about: the records and guides that are wanted; all if None. Nothing is left then.
        anew: take nothing of what was left.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
    """
    place = (folder, cache.name("build" if every else "lint", directory)) if folder else None
    with content.uncollected():
        before = cache.read(*place) if place and not anew else None
        if isinstance(before, Kept):
            look = seeing.look(directory, generation, every, before.seen)
            again = _again(directory, before, look, generation, every, about)
            if again is not None:
                return replace(again, _place=place)
        keeps = place is not None and about is None
        seen = seeing.look(directory, generation, every).seen if keeps else None
        if every:
            found = content.read_all(directory, generation=generation)
        else:
            found = content.read(directory, generation=generation, about=about)
        reading = Reading(found, _names(found))
        # What changed meanwhile may have been read so or so.
        if seen is None or found.problems or seeing.look(directory, generation, every).seen != seen:
            return reading
        return replace(reading, _place=place, _kept=_kept(found, seen))


_FOLDERS = tuple(field.name for field in fields(Files))


def _items(written: Files) -> list[Loaded[Any]]:
    return [*written.owners(), *_others(written)]


def _others(written: Files) -> list[Loaded[Any]]:
    """What has no checks."""
    return [
        *written.claims, *written.sources, *written.tables, *written.synonyms, *written.mistakes,
        *written.families,
    ]  # fmt: skip


def _names(found: Content) -> dict[str, str]:
    """What each file is about."""
    return {str(loaded.path): loaded.name for loaded in _items(found.files)}


def _kept(found: Content, seen: Seen) -> Kept:
    """What to leave of all that was read."""
    written, base = found.files, found.base
    releases = [base.torch, *(b.mindspore for b in found.earlier), base.mindspore]
    others = _others(written)
    about = {str(r.path): File("records", r.name, r.name) for r in written.records}
    for guide in written.guides:
        about[str(guide.path)] = File("guides", guide.name, model.guide_owner(guide.name))
    about |= {str(c.path): File("claims", c.name) for c in written.claims}
    about |= {str(s.path): File("sources", s.name) for s in written.sources}
    about |= {str(t.path): File("tables", t.name) for t in written.tables}
    about |= {str(s.path): File("synonyms", s.name) for s in written.synonyms}
    about |= {str(m.path): File("mistakes", m.name) for m in written.mistakes}
    about |= {str(f.path): File("families", f.name) for f in written.families}
    left = {str(item.path): cache.dumps(item) for item in others}
    kept = Kept(seen, about, {}, left, cache.dumps(releases))
    _note(kept, found)
    return kept


def _note(kept: Kept, found: Content) -> None:
    """Put the records and guides that were read into what is left."""
    bases = (found.base, *found.earlier)

    def note(owner: str, told: bytes, joined: object, covers: tuple[str, ...] = ()) -> None:
        asked = frozenset[str]().union(*(base.asked.get(owner, ()) for base in bases))
        evidence = kept.seen.evidence.get(owner, b"")
        best = found.base.best.get(owner, "")
        kept.owners[owner] = Owner(evidence, told, asked, cache.dumps(joined), best, covers)

    for record in found.files.records:
        newest, *earlier = [base.records[record.name] for base in bases]
        told = _told(newest)
        other = [None if _told(then) == told else replace(then, checks=()) for then in earlier]
        note(record.name, _digest_told(bases, record.name), (newest, *other), newest.covers)
    for guide in found.files.guides:
        note(model.guide_owner(guide.name), b"", (found.base.guides[guide.name],))


def _told(record: model.Record) -> tuple[object, ...]:
    """All of a record that can decide how other code is ported, or why it isn't."""
    targets = [replace(t, verification="", reason="", ran_on=()) for t in record.targets]
    return (
        record.kind, record.signatures, record.call, record.overloads, record.category,
        record.missing, targets, record.covers,
    )  # fmt: skip


def _digest_told(bases: Iterable[Base], name: str) -> bytes:
    told = repr([_told(base.records[name]) for base in bases])
    return hashlib.sha256(told.encode()).digest()


class _Shelf(Mapping[str, T]):
    """What was left of records or guides, as of a release; unpickled when it is asked for."""

    def __init__(self, owners: Mapping[str, Owner], loaded: dict[str, Any], place: int) -> None:
        self.owners, self.loaded, self.place = owners, loaded, place

    def __getitem__(self, name: str) -> T:
        found = self.loaded.get(name)
        if found is None:
            found = self.loaded[name] = pickle.loads(self.owners[name].joined)
        return cast("T", found[self.place] or found[0])

    def __contains__(self, name: object) -> bool:
        return name in self.owners

    def __iter__(self) -> Iterator[str]:
        return iter(self.owners)

    def __len__(self) -> int:
        return len(self.owners)


def _again(
    directory: Path, before: Kept, look: Look, generation: int, every: bool,
    about: Collection[str] | None,
) -> Reading | None:  # fmt: skip
    """What has changed put together, with what was left of the rest; None if all has to be."""
    if not _comparable(before, look.seen):
        return None
    problems: list[Problem] = []
    try:
        loaded, rest = _loaded(before, look, about)
        if not every and about is None:
            # Lint compares what siblings tell.
            loaded |= {path: _load(before, look, path) for path in _siblings(before, loaded)}
        bases = _joined(before, loaded, generation, about)
        while more := _touched(before, loaded, bases):
            loaded |= {path: _load(before, look, path) for path in more}
            bases = _joined(before, loaded, generation, about)
    except DataError:  # to be told with all that is wrong in other files
        return None
    redone = frozenset(path for path in loaded if before.files[path].owner)
    base, *earlier = bases
    if redone:
        owners = {before.files[path].owner for path in redone}
        release = None if every else base.mindspore.release
        place = directory / "evidence"
        environments = files.read_all(place, release, problems, owners, look.scanned())
        for each in bases:
            content.prove(each, environments, owners)
    if problems:
        return None

    def items(folder: str) -> list[Any]:
        found = [item for p, item in (loaded | rest).items() if before.files[p].folder == folder]
        return sorted(found, key=lambda item: item.name)

    written = Files(*map(items, _FOLDERS))
    tried = {} if every else content.tried(directory, base)
    found = Content(directory, base, written, tuple(earlier), (), tried)
    names = {path: file.name for path, file in before.files.items()}
    reading = Reading(found, names, redone, before.told, before.whole, None, before.file)
    if about is not None:
        return reading
    others = {p: cache.dumps(item) for p, item in loaded.items() if p not in redone}
    kept = replace(
        before, seen=look.seen, owners=dict(before.owners), others=before.others | others, told={},
        whole=None, file=b"",
    )  # fmt: skip
    _note(kept, found)
    return replace(reading, _kept=kept)


def _comparable(before: Kept, seen: Seen) -> bool:
    """Whether no file came or went, and all that every record depends on is the same."""

    def strange(one: Seen) -> dict[str, bytes]:
        # A line that can't be read has no owner.
        return {name: d for name, d in one.evidence.items() if name not in before.owners}

    return (
        seen.world == before.seen.world
        and seen.files.keys() == before.seen.files.keys()
        and strange(seen) == strange(before.seen)
    )


def _load(before: Kept, look: Look, path: str) -> Loaded[Any]:
    """What stands in a file as it was seen.

    Raises:
        DataError: it can't be read, or is about something else now.
    """
    data, known = look.written[path], {}
    if load.is_like(data):
        files = (p for p, file in before.files.items() if file.folder == "families")
        known = load.sources({Path(p): look.written[p] for p in files})
    loaded = load.read(Path(path), before.files[path].folder, data, known)
    if loaded.name != before.files[path].name:
        raise DataError([Problem(loaded.path, 1, Message("stands for something else"))])
    return loaded


def _loaded(
    before: Kept, look: Look, about: Collection[str] | None
) -> tuple[dict[str, Loaded[Any]], dict[str, Loaded[Any]]]:
    """The files that changed or are wanted, and other statements and documents.

    Raises:
        DataError: as ``_load`` does.
    """
    loaded: dict[str, Loaded[Any]] = {}
    rest: dict[str, Loaded[Any]] = {}
    seen = look.seen
    for path, digest in seen.files.items():
        file = before.files[path]
        changed = digest != before.seen.files[path]
        if file.owner:
            changed |= seen.evidence.get(file.owner, b"") != before.owners[file.owner].evidence
            changed |= seen.probes.get(file.name) != before.seen.probes.get(file.name)
            changed |= file.name in (about or ())
        if changed:
            loaded[path] = _load(before, look, path)
        elif not file.owner:
            rest[path] = pickle.loads(before.others[path])
    return loaded, rest


def _siblings(before: Kept, loaded: Mapping[str, Loaded[Any]]) -> list[str]:
    """The files not read yet of records that are, or were, siblings of those that were."""
    records = {f.name: path for path, f in before.files.items() if f.folder == "records"}
    old = {name: before.owners[name].best for name in records}
    read = {name: loaded[path].item for name, path in records.items() if path in loaded}
    new = old | {name: best_api(item.targets) for name, item in read.items()}
    kin = (Kin(old), Kin(new))
    found = {records[sibling] for k in kin for name in read for sibling in k.siblings(name)}
    return sorted(found - set(loaded))


def _joined(
    before: Kept, loaded: Mapping[str, Loaded[Any]], generation: int,
    about: Collection[str] | None,
) -> list[Base]:  # fmt: skip
    """The bases of all releases, newest first, with records and guides made of some files."""
    torch, *past, newest = pickle.loads(before.signatures)
    written, topics = [
        [item.item for path, item in loaded.items() if before.files[path].folder == folder]
        for folder in ("records", "guides")
    ]
    records, guides = [
        {f.name: before.owners[f.owner] for f in before.files.values() if f.folder == folder}
        for folder in ("records", "guides")
    ]
    known: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    shared = {name: head for head, owner in records.items() for name in owner.covers}
    bases = []
    for place, mindspore in enumerate((newest, *past)):
        shelf: _Shelf[model.Record] = _Shelf(records, known[0], place)
        base = content.joined(
            torch, mindspore, newest, written, topics, generation, about=about, others=shelf,
            shared=shared,
        )  # fmt: skip
        base.best = {name: owner.best for name, owner in records.items()} | base.best
        rest: _Shelf[model.Guide] = _Shelf(guides, known[1], 0)
        # A ChainMap writes into its first alone.
        base.guides = ChainMap(dict(base.guides), cast("MutableMapping[str, model.Guide]", rest))
        bases.append(base)
    return bases


def _touched(before: Kept, loaded: Mapping[str, Loaded[Any]], bases: Iterable[Base]) -> list[str]:
    """The files not read yet whose code is ported by a record that is another now."""
    bases = list(bases)
    names = [before.files[path].name for path in loaded if before.files[path].folder == "records"]
    heads = {name for name in names if _digest_told(bases, name) != before.owners[name].told}
    shared = {
        name
        for head in heads
        for name in (*before.owners[head].covers, *bases[0].records[head].covers)
    }
    other = heads | shared
    return [
        path
        for path, file in before.files.items()
        if path not in loaded
        and file.owner
        and not before.owners[file.owner].asked.isdisjoint(other)
    ]
