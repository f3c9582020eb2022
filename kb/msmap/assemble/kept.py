"""Everything below a data directory, of which only what has changed is put together again.

A record is put together of its file, the signatures and its evidence; its checks are ported by the
records that the rewriter asked for, as far as these decide how code is ported. Lint looks at it
again too where another form of its operation has changed. What is written of statements and
documents is about everything, and always looked at.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, cast

from msmap import cache, kin, model
from msmap.assemble import content
from msmap.assemble.base import Base
from msmap.assemble.content import Content
from msmap.curated import load
from msmap.curated.load import Files, Loaded
from msmap.evidence import files, likeness
from msmap.problems import DataError, Problem

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Owner:
    """A record or guide as it was put together; ``joined`` is pickled, as ``_Shelf`` reads it."""

    evidence: str
    told: str
    asked: frozenset[str]
    joined: bytes


@dataclass(slots=True)
class Kept:
    """What an earlier run has left: ``told`` is the command's own, by file."""

    seen: Seen
    folders: dict[Path, str]
    names: dict[Path, str]
    owned: dict[Path, str]
    owners: dict[str, Owner]
    others: dict[Path, bytes]
    signatures: bytes
    told: dict[Path, Any] = field(default_factory=dict)
    whole: Any = None


@dataclass(frozen=True, slots=True)
class Seen:
    """Digests of all there is to read: of the whole, of files, of evidence by its owner."""

    world: str
    files: dict[Path, str]
    evidence: dict[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: of records and guides those in ``redone`` alone, if that isn't None.

    ``told`` and ``whole`` are what the command has kept, of the other files and of everything.
    """

    found: Content
    names: Mapping[Path, str]
    redone: frozenset[Path] | None = None
    told: dict[Path, Any] = field(default_factory=dict)
    whole: Any = None
    _place: tuple[Path, str] | None = None
    _kept: Kept | None = None

    def keep(self, told: dict[Path, Any], whole: Any = None) -> None:
        """Leave all this for the next run, with what the command wants to find then."""
        if self._kept is not None and self._place is not None:
            self._kept.told, self._kept.whole = told, whole
            cache.write(*self._place, self._kept)


def read(
    directory: Path,
    folder: Path | None,
    *,
    generation: int,
    every: bool = False,
    about: Collection[str] | None = None,
) -> Reading:
    """Everything below a data directory, as ``content.read`` does, or ``read_all`` if ``every``.

    Args:
        directory: the data directory.
        folder: where earlier runs have left what they worked out; None to do without.
        generation: as for ``content.read``.
        every: with the earlier releases.
        about: the records and guides that are wanted; all if None. Nothing is left then.

    Raises:
        DataError, SignatureFileError: what is wrong, where.
    """
    place = (folder, cache.name("build" if every else "lint", directory)) if folder else None
    with content.uncollected():
        before = cache.read(*place) if place else None
        seen = _seen(directory, generation, every) if place and (before or about is None) else None
        if isinstance(before, Kept) and seen is not None:
            again = _again(directory, before, seen, generation, every, about)
            if again is not None and _seen(directory, generation, every) == seen:
                return replace(again, _place=place)
        if every:
            found = content.read_all(directory, generation=generation)
        else:
            found = content.read(directory, generation=generation, about=about)
        if seen is None or about is not None or found.problems:
            return Reading(found, _names(found))
        if _seen(directory, generation, every) != seen:
            return Reading(found, _names(found))
        return Reading(found, _names(found), None, {}, None, place, _kept(found, seen))


def _items(written: Files) -> list[Loaded[Any]]:
    return [*written.records, *written.guides, *written.claims, *written.sources]


def _names(found: Content) -> dict[Path, str]:
    """What each file is about."""
    return {loaded.path: loaded.name for loaded in _items(found.files)}


def _seen(directory: Path, generation: int, every: bool) -> Seen:
    """What stands below a directory now.

    A file whose content may be used without being read is in it by its name alone.
    """
    paths = [path for found in load.paths(directory).values() for path in found]
    files = {path: _digest(path.read_bytes()) for path in paths if path.is_file()}
    world = [str(directory), str(generation), str(every), *map(str, paths)]
    for path in sorted((directory / "signatures").glob("*.jsonl")):
        world += [str(path), _digest(path.read_bytes())]
    evidence: dict[str, Any] = {}
    for path in sorted((directory / "evidence").glob("*.jsonl")):
        text = likeness.scan(path)
        world += [str(path), text.like]
        for owner, lines in text.records.items():
            made = evidence.setdefault(owner, hashlib.sha256())
            made.update(b"\n".join((path.name.encode(), *lines, b"")))
    return Seen(
        _digest("\n".join(world).encode()), files, {o: m.hexdigest() for o, m in evidence.items()}
    )


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _kept(found: Content, seen: Seen) -> Kept:
    """What to leave of all that was read."""
    written, base = found.files, found.base
    releases = [base.torch, *(b.mindspore for b in found.earlier), base.mindspore]
    folders = {p: folder for folder, paths in load.paths(found.directory).items() for p in paths}
    owned = {loaded.path: loaded.name for loaded in written.records}
    owned |= {loaded.path: model.guide_owner(loaded.name) for loaded in written.guides}
    kept = Kept(
        seen,
        folders,
        _names(found),
        owned,
        {},
        {item.path: pickle.dumps(item) for item in _items(replace(written, records=[], guides=[]))},
        pickle.dumps(releases),
    )
    _note(kept, found, [loaded.name for loaded in written.records], base.guides)
    return kept


def _note(kept: Kept, found: Content, names: Iterable[str], guides: Iterable[str]) -> None:
    """Put records and guides into what is left."""
    bases = (found.base, *found.earlier)

    def owner(name: str, told: str, joined: object) -> Owner:
        asked = frozenset[str]().union(*(base.asked.get(name, ()) for base in bases))
        return Owner(kept.seen.evidence.get(name, ""), told, asked, pickle.dumps(joined))

    for name in names:
        newest, *earlier = [base.records[name] for base in bases]
        told = _told(newest)
        other = [None if _told(then) == told else replace(then, checks=()) for then in earlier]
        kept.owners[name] = owner(name, _digest_told(bases, name), (newest, *other))
    for name in guides:
        of = model.guide_owner(name)
        kept.owners[of] = owner(of, "", (found.base.guides[name],))


def _told(record: model.Record) -> tuple[object, ...]:
    """All of a record that can decide how other code is ported, or why it isn't."""
    targets = [replace(t, verification="", reason="", ran_on=()) for t in record.targets]
    return (
        record.kind, record.signatures, record.call, record.overloads, record.category,
        record.missing, targets,
    )  # fmt: skip


def _digest_told(bases: Iterable[Base], name: str) -> str:
    return _digest(repr([_told(base.records[name]) for base in bases]).encode())


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
    directory: Path, before: Kept, seen: Seen, generation: int, every: bool,
    about: Collection[str] | None,
) -> Reading | None:  # fmt: skip
    """What has changed put together, with what was left of the rest; None if all has to be."""
    if not _comparable(before, seen):
        return None
    problems: list[Problem] = []
    try:
        loaded, rest = _loaded(directory, before, seen, about)
        if not every and about is None:
            # Lint compares what the forms of an operation tell.
            loaded |= {p: load.read(p, before.folders[p]) for p in _forms(before, loaded)}
        bases = _joined(before, loaded, generation, about)
        while more := _touched(before, loaded, bases):
            loaded |= {path: load.read(path, before.folders[path]) for path in more}
            bases = _joined(before, loaded, generation, about)
    except DataError:  # to be told with all that is wrong in other files
        return None
    redone = {path for path in loaded if path in before.owned}
    owners = {before.owned[path] for path in redone}
    base, *earlier = bases
    release = None if every else base.mindspore.release
    environments = files.read_all(directory / "evidence", release, problems, owners)
    if problems:
        return None
    for each in bases:
        content.prove(each, environments, owners)

    def items(folder: str) -> list[Any]:
        found = [v for p, v in (loaded | rest).items() if before.folders[p] == folder]
        return sorted(found, key=lambda item: item.name)

    written = Files(*map(items, ("records", "guides", "claims", "sources")))
    found = Content(directory, base, written, tuple(earlier))
    told = {path: before.told[path] for path in before.told if path not in redone}
    if about is not None:
        return Reading(found, before.names, frozenset(redone), told, before.whole)
    others = {p: pickle.dumps(item) for p, item in loaded.items() if p not in redone}
    kept = replace(
        before, seen=seen, owners=dict(before.owners), others=before.others | others, told={},
        whole=None,
    )  # fmt: skip
    _note(
        kept, found, [r.name for r in written.records], [g.name for g in written.guides]
    )  # fmt: skip
    return Reading(found, before.names, frozenset(redone), told, before.whole, None, kept)


def _comparable(before: Kept, seen: Seen) -> bool:
    """Whether no file came or went, and all that every record depends on is the same."""

    def strange(one: Seen) -> dict[str, str]:
        # A line that can't be read has no owner.
        return {name: d for name, d in one.evidence.items() if name not in before.owners}

    return (
        seen.world == before.seen.world
        and seen.files.keys() == before.seen.files.keys()
        and strange(seen) == strange(before.seen)
    )


def _loaded(
    directory: Path, before: Kept, seen: Seen, about: Collection[str] | None
) -> tuple[dict[Path, Loaded[Any]], dict[Path, Loaded[Any]]]:
    """The files that changed or are wanted, read, and other statements and documents.

    Raises:
        DataError: one can't be read, or is about something else now.
    """
    loaded: dict[Path, Loaded[Any]] = {}
    rest: dict[Path, Loaded[Any]] = {}
    for path, digest in seen.files.items():
        owner, name = before.owned.get(path), before.names[path]
        changed = digest != before.seen.files[path]
        if owner is not None:
            changed |= seen.evidence.get(owner, "") != before.owners[owner].evidence
            changed |= name in (about or ())
        if changed:
            loaded[path] = load.read(path, before.folders[path])
            if loaded[path].name != name:
                raise DataError([Problem(path, 1, "stands for something else")])
        elif owner is None:
            rest[path] = pickle.loads(before.others[path])
    return loaded, rest


def _forms(before: Kept, loaded: Collection[Path]) -> list[Path]:
    """The files not read yet of records that are other forms of those that were."""
    records = {before.names[p]: p for p in before.owned if before.folders[p] == "records"}
    mine = [name for name, path in records.items() if path in loaded]
    found = {records[form] for name in mine for form in kin.forms(name, records)}
    return sorted(found - set(loaded))


def _joined(
    before: Kept, loaded: Mapping[Path, Loaded[Any]], generation: int,
    about: Collection[str] | None,
) -> list[Base]:  # fmt: skip
    """The bases of all releases, newest first, with records and guides made of some files."""
    torch, *past, newest = pickle.loads(before.signatures)
    written = [item.item for path, item in loaded.items() if before.folders[path] == "records"]
    topics = [item.item for path, item in loaded.items() if before.folders[path] == "guides"]
    owned = {
        folder: {
            before.names[path]: before.owners[owner]
            for path, owner in before.owned.items()
            if before.folders[path] == folder
        }
        for folder in ("records", "guides")
    }
    known: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    bases = []
    for place, mindspore in enumerate((newest, *past)):
        shelf: _Shelf[model.Record] = _Shelf(owned["records"], known[0], place)
        base = content.joined(
            torch, mindspore, newest, written, topics, generation, about=about, others=shelf
        )
        rest: _Shelf[model.Guide] = _Shelf(owned["guides"], known[1], 0)
        # A ChainMap writes into its first alone.
        base.guides = ChainMap(dict(base.guides), cast("MutableMapping[str, model.Guide]", rest))
        bases.append(base)
    return bases


def _touched(before: Kept, loaded: Mapping[Path, Loaded[Any]], bases: Iterable[Base]) -> list[Path]:
    """The files not read yet whose code is ported by a record that is another now."""
    bases = list(bases)
    names = [before.names[path] for path in loaded if before.folders[path] == "records"]
    other = {name for name in names if _digest_told(bases, name) != before.owners[name].told}
    return [
        path
        for path, owner in before.owned.items()
        if path not in loaded and not before.owners[owner].asked.isdisjoint(other)
    ]
