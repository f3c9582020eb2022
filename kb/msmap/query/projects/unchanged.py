"""What came of the files of a tree, kept from run to run: by content, file by file.

What comes of a file depends on itself, on the files that were looked at for it because it imports
them, near or far, and on whether words of it stand in files that may import it. Where files come or
go, it depends on those names too by which they can be imported.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msmap import cache
from msmap.code import files as project
from msmap.infer.modules import Modules

# So many trees' results are left of a kind.
_TREES = 20
_INIT = "__init__.py"


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a file, the files that it depends on, and which words stood elsewhere."""

    done: Any
    needs: tuple[str, ...] = ()
    told: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class _Tree:
    """All that is kept of a tree: what was asked, digests by file, and what came of files.

    Files that something depends on are numbers of those: their names would take more than all else.
    """

    asked: object
    digests: dict[str, bytes]
    came: dict[str, tuple[Any, tuple[int, ...], tuple[tuple[str, bool], ...]]]


class Unchanged:
    """What is kept of a tree, as far as it still holds.

    Args:
        folder: where it is kept.
        kind: what work it is.
        asked: what is asked of each file; other questions have other answers.
        files: all files of the tree.
        made_by: tells the program and the database.
    """

    def __init__(
        self, folder: Path, kind: str, asked: object, files: Iterable[Path], made_by: bytes
    ) -> None:
        self._folder, self._asked, self._made_by = folder, asked, made_by
        self._paths = {os.path.abspath(path): path for path in files}
        self._stamps = {place: stamp(path) for place, path in self._paths.items()}
        self.contents = {path: content(path) for path in self._paths.values()}
        self._digests = {
            place: hashlib.blake2b(self.contents[path], digest_size=16).digest()
            for place, path in self._paths.items()
        }
        self._name = cache.name(kind, Path(os.path.commonpath(self._paths)))
        found = cache.read(folder, self._name, made_by)
        is_same = isinstance(found, _Tree) and found.asked == asked
        self._before = found if is_same else _Tree(asked, {}, {})

    def came(self, modules: Modules) -> dict[str, Came]:
        """What came of those files, by their places, of which the same would come again.

        Args:
            modules: the tree as it is now.
        """
        numbers = list(self._before.digests)
        came = {
            place: Came(done, tuple([numbers[n] for n in needs]), told)
            for place, (done, needs, told) in self._before.came.items()
            if place in self._digests
        }
        if self._before.digests == self._digests:
            return came
        other = self._others(modules)
        if other is None:
            return {}
        return {
            place: one
            for place, one in came.items()
            if other.isdisjoint(one.needs)
            and all(modules.module(place).is_told_elsewhere(w) == is_ for w, is_ in one.told)
        }

    def _others(self, modules: Modules) -> set[str] | None:
        """The files in which another thing stands, or may; None if that may be all."""
        before, now = self._before.digests, self._digests
        other = {place for place in before.keys() & now.keys() if before[place] != now[place]}
        moved = before.keys() ^ now.keys()
        if not moved:
            return other
        if any(os.path.basename(place) == _INIT for place in moved) or _top(before) != _top(now):
            return None
        names = {part for place in moved for part in Path(place).parts}
        names |= {name.removesuffix(".py") for name in names}
        return other.union(moved, *map(modules.saying, names))

    def keep(self, came: Mapping[str, Came]) -> None:
        """Keep what came of files, but for what depends on one that has changed meanwhile."""
        known = {place: one for place, one in came.items() if one is not None}
        if known.keys() == self._before.came.keys() and self._before.digests == self._digests:
            return
        number = {place: n for n, place in enumerate(self._digests)}
        steady = {p for p, path in self._paths.items() if stamp(path) == self._stamps[p]}
        kept = {
            place: (one.done, tuple([number[need] for need in one.needs]), one.told)
            for place, one in known.items()
            if steady.issuperset(one.needs)
        }
        tree = _Tree(self._asked, self._digests, kept)
        cache.write(self._folder, self._name, tree, self._made_by, _TREES)


def _top(places: Iterable[str]) -> str:
    return os.path.commonpath({os.path.dirname(place) for place in places} or {os.sep})


def content(path: Path) -> bytes:
    """What a file holds as far as it is read; why not if it can't be."""
    try:
        file = project.read(path)
    except project.Unreadable as error:
        return repr(error.unread).encode(errors="backslashreplace")
    return file.bytes(file.text)


def stamp(path: Path) -> tuple[int, int, int] | None:
    """What is another one when a file was written."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
