"""The files of a tree as modules: what each of them finds when it imports another."""

from __future__ import annotations

import ast
import contextlib
import os
import tokenize
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import cached_property
from pathlib import Path

from msmap.code import exports, fragments, import_index
from msmap.code.source import Source
from msmap.infer import registries
from msmap.infer.facts import Facts
from msmap.infer.interpreter import Reading
from msmap.infer.values.lattice import UNKNOWN, Members, Value

# Folders beside which, or in which, packages usually stand.
_SOURCES = ("src", "lib", "python")
_WORD = "torch"
# So many characters of files that others import are remembered as they were read, which takes some
# hundred bytes for each; of what stands in more nothing is known.
_ROOM = 8_000_000
_NOWHERE: Set[str] = frozenset()


def _text(path: Path) -> str:
    """The text of a file in its own encoding, with its own line ends."""
    with tokenize.open(path) as file:
        encoding = file.encoding
    return path.read_bytes().decode(encoding)


class Modules:
    """What the files of a tree import of each other; each is read once, when it is asked for.

    Args:
        files: all files of the tree that are Python.
        facts: the base.
        text: gives the text of a file; what it raises as OSError, SyntaxError or ValueError
            leaves what stands in the file unknown.
        saying: gives the files in which a word stands, where that is known beforehand.
    """

    def __init__(
        self,
        files: Iterable[Path],
        facts: Facts,
        text: Callable[[Path], str] = _text,
        saying: Callable[[str], Set[str]] | None = None,
    ) -> None:
        self.facts, self.text = facts, text
        self.files = {os.path.abspath(path) for path in files}
        self.folders: set[str] = set()
        ahead = {os.path.dirname(path) for path in self.files}
        self.top = os.path.commonpath(ahead) if ahead else ""
        while ahead:
            self.folders |= ahead
            ahead = {os.path.dirname(folder) for folder in ahead} - self.folders
        # How often something was asked of a module that was just being read.
        self.missed = 0
        self._modules: dict[str, Module] = {}
        self.saying = saying or self._saying
        # By file, those that were looked at for it, and the words of which it was asked whether
        # another file that may import it says them.
        self.needs: dict[str, set[str]] = {}
        self.told: dict[str, dict[str, bool]] = {}
        # By file and class of PyTorch's, what its calls become: the rewriter keeps it here.
        self.made: dict[tuple[str, str], tuple[str | None, ...]] = {}
        # By file, those that may ask for it.
        self._readers: dict[str, frozenset[str]] = {}
        self._last: Module | None = None
        self._room = _ROOM

    def behind(self, place: str) -> list[str]:
        """A file and all others that were looked at for it so far, near or far."""
        found = dict.fromkeys([place])
        ahead = [place]
        for one in ahead:
            new = self.needs.get(one, set()) - found.keys()
            found |= dict.fromkeys(new)
            ahead += new
        return [one for one in ahead if one in self.files]

    def at(self, path: Path, text: str | None = None) -> Module:
        """The module of a file; with a ``text`` that isn't the file's, one for this text alone."""
        place = os.path.abspath(path)
        return self.module(place) if text is None else Module(self, place, text)

    def keep(self, module: Module) -> None:
        """A file was read: of those that nobody asked for, no more than the last is kept."""
        if self._last is not None and self._last is not module and not self._last.asked:
            self._last.forget()
        self._last = module

    def has_room(self, module: Module) -> bool:
        """Whether what stands in one more file can be remembered for others that import it."""
        if not module.asked:
            self._room -= len(module.text)
        return self._room >= 0

    def module(self, place: str) -> Module:
        """The module of a file or a folder of the tree, by its absolute path."""
        found = self._modules.get(place)
        if found is None:
            found = self._modules[place] = Module(self, place)
        return found

    @cached_property
    def _told(self) -> dict[str, str | set[str]]:
        """The files in which each word stands: the one, or all."""
        found: dict[str, str | set[str]] = {}
        for place in self.files:
            with contextlib.suppress(OSError, SyntaxError, ValueError):
                for word in import_index.words(self.module(place).text):
                    before = found.setdefault(word, place)
                    if isinstance(before, set):
                        before.add(place)
                    elif before is not place:
                        found[word] = {before, place}
        return found

    def _saying(self, word: str) -> Set[str]:
        """The files in which a word stands."""
        found = self._told.get(word, _NOWHERE)
        return {found} if isinstance(found, str) else found

    def readers(self, place: str) -> frozenset[str]:
        """The files that may ask for what stands in a file, told by the names of modules."""
        found = self._readers.get(place)
        if found is None:
            found = self._readers[place] = import_index.readers(place, self.saying)
        return found

    def inside(self, folder: str, name: str) -> Module | None:
        """The module or package of a name in a folder; a folder of Python is one too."""
        path = os.path.join(folder, name)
        if os.path.join(path, import_index.INIT) in self.files:
            return self.module(os.path.join(path, import_index.INIT))
        if f"{path}.py" in self.files:
            return self.module(f"{path}.py")
        return self.module(path) if path in self.folders else None

    def roots(self, place: str) -> list[str]:
        """The folders in which a file looks for what it imports by its whole name."""
        folder = os.path.dirname(place)
        while os.path.join(folder, import_index.INIT) in self.files:
            folder = os.path.dirname(folder)
        found = [folder]
        while len(folder) > len(self.top):
            folder = os.path.dirname(folder)
            found.append(folder)
        return [*found, *(os.path.join(root, name) for root in found for name in _SOURCES)]


class Module(Members):
    """A file of a tree, or a folder, as what imports it sees it."""

    def __init__(self, table: Modules, place: str, text: str | None = None) -> None:
        self.table, self.place = table, place
        self._text = text
        self._reading: Reading | None = None
        self._finished = False
        # Whether others asked what stands in it.
        self.asked = False
        self._matters: bool | None = None
        self._members: dict[str, Value] = {}
        self._asked: set[str] = set()

    @cached_property
    def text(self) -> str:
        """The text of the file.

        Raises:
            OSError, SyntaxError, ValueError: it can't be read.
        """
        return self.table.text(Path(self.place)) if self._text is None else self._text

    @cached_property
    def source(self) -> Source:
        """The source of the file, parsed.

        Raises:
            OSError, SyntaxError, ValueError: it can't be read, or isn't Python.
        """
        return Source(self.text)

    @property
    def folder(self) -> str:
        """Where its modules stand; "" if it is no package."""
        if self.place.endswith(os.sep + import_index.INIT):
            return os.path.dirname(self.place)
        return self.place if self.place not in self.table.files else ""

    # What it imports.

    def imported(
        self, level: int, name: str, asked: Sequence[str] = ()
    ) -> list[Module] | None:  # fmt: skip
        """What ``import a.b`` or ``from ..a import asked`` finds in the tree: a and a.b; else None.

        Where several files may be meant, or a part of a package is missing, nothing is known of
        the last.
        """
        found = self._imported_as(level, name, asked)
        self._look_at(found or ())
        return found

    def _look_at(self, modules: Iterable[Module]) -> None:
        """Remember that what stands in the file depends on others."""
        places = {one.place for one in modules if one.place}
        if places:
            self.table.needs.setdefault(self.place, set()).update(places)

    def _imported_as(self, level: int, name: str, asked: Sequence[str]) -> list[Module] | None:
        parts = name.split(".") if name else []
        if level:
            folder = os.path.dirname(self.place)
            for _ in range(level - 1):
                folder = os.path.dirname(folder)
            if not parts:
                package = self.table.inside(*os.path.split(folder))
                return None if package is None else [package]
            return self._below(folder, parts)
        ways = [w for root in self.table.roots(self.place) if (w := self._below(root, parts))]
        # What is installed comes before a folder that is no package.
        ways = [way for way in ways if way[0].is_file or way[-1].is_file or way[-1].has(asked)]
        if not ways or ways[0][0] is self:
            return None
        places = {way[0].place for way in ways if way[0].is_file}
        return [self._lost()] * len(parts) if len(places) > 1 else ways[0]

    def _below(self, folder: str, parts: list[str]) -> list[Module] | None:
        """The modules on the way to the last part; None if the first isn't there."""
        found: list[Module] = []
        for part in parts:
            module = self.table.inside(folder, part) if folder else None
            if module is None:
                # Built or generated: nobody can tell what is in it.
                known = found and found[0].is_file
                return [*found, *[self._lost()] * (len(parts) - len(found))] if known else None
            found.append(module)
            folder = module.folder
        return found

    def _lost(self) -> Module:
        return Module(self.table, "")

    def has(self, names: Iterable[str]) -> bool:
        """Whether one of some names is a module in it."""
        return any(self.table.inside(self.folder, name) for name in names if self.folder)

    @property
    def is_file(self) -> bool:
        """Whether it is a file, rather than a folder without one."""
        return self.place in self.table.files

    def is_told_elsewhere(self, word: str) -> bool:
        """Whether another file of the tree that may import this one says a word too."""
        if self._text is not None:
            return False
        found = self._is_told_elsewhere(word)
        self.table.told.setdefault(self.place, {})[word] = found
        return found

    def _is_told_elsewhere(self, word: str) -> bool:
        told = self.table.saying(word) - {self.place}
        if not told:
            return False
        readers = self.table.readers(self.place)
        return len(readers) > import_index.MANY or not readers.isdisjoint(told)

    def others_saying(self, word: str) -> list[Module] | None:
        """The other files of the tree that say a word; None if they are many."""
        self.is_told_elsewhere(word)
        places = [one for one in self.table.saying(word) if one != self.place]
        if len(places) > import_index.MANY:
            return None
        others = [self.table.module(one) for one in sorted(places)]
        self._look_at(others)
        return others

    def is_only_asked(self, word: str) -> bool:
        """Whether other files of the tree, if they say a word too, only ask what it stands for."""
        if not self.is_told_elsewhere(word):
            return True
        readers = self.table.readers(self.place)
        if len(readers) > import_index.MANY:
            return False
        others = [self.table.module(p) for p in sorted(readers & self.table.saying(word))]
        self._look_at(others)
        try:
            return all(registries.only_asks(one.source.nodes, word) for one in others)
        except (OSError, SyntaxError, ValueError):
            return False

    # What is read of it.

    def reading(self) -> Reading:
        """The whole reading of the file.

        Raises:
            OSError, SyntaxError, ValueError: it can't be read, or isn't Python.
        """
        if not (self.matters or self._may_train()):
            self.table.keep(self)
            return Reading(self.source, self.table.facts, place=self)
        reading = self._begun()
        if not self._finished:
            self._finished = True
            reading.finish()
        return reading

    def _begun(self) -> Reading:
        """The reading of what stands outside of functions."""
        if self._reading is None:
            self._reading = Reading(self.source, self.table.facts, place=self)
            try:
                self._reading.begin()
            except RecursionError:
                self.forget()
                raise
            self.table.keep(self)
        return self._reading

    def forget(self) -> None:
        """Let go of what was read; it is read again when it is asked for."""
        self._reading = None
        self._finished = False
        self._members.clear()
        for kept in ("source", "text"):
            self.__dict__.pop(kept, None)

    def surface(self) -> Reading | None:
        """The reading of what stands outside of functions; None if nothing can be read."""
        if not self.is_file and self._text is None:
            return None
        try:
            if not self.table.has_room(self):
                return None
            self.asked = True
            reading = self._begun()
        except (OSError, SyntaxError, ValueError):
            return None
        if reading.busy:
            self.table.missed += 1
            return None
        return reading

    def member(self, name: str) -> Value:
        """What a name of the module stands for, as others see it."""
        found = self._members.get(name)
        if found is not None:
            return found
        if name in self._asked:
            self.table.missed += 1
            return UNKNOWN
        self._asked.add(name)
        before = self.table.missed
        try:
            found = self._member(name)
        finally:
            self._asked.discard(name)
        if before == self.table.missed:
            self._members[name] = found
        return found

    def _member(self, name: str) -> Value:
        reading = self.surface()
        if reading is not None and (found := reading.exported(name)) is not None:
            return found
        inner = self.table.inside(self.folder, name) if self.folder else None
        if inner is None:
            return UNKNOWN
        self._look_at([inner])
        return inner

    def given(self) -> tuple[list[str], list[str | None]]:
        """What a star takes of the module: names, and other modules that it takes all of.

        Those are PyTorch's, or None for what nobody can tell.
        """
        reading = self.surface()
        if reading is None:
            return [], [None]
        told = exports.names(reading.source)
        if told is not None:
            return told, []
        public = [name for name in reading.module.now if not name.startswith("_")]
        return public, list(reading.module.stars)

    @property
    def matters(self) -> bool:
        """Whether the file, or what it imports of the tree, says a word of PyTorch."""
        if self._matters is None:
            self._ask()
        return bool(self._matters)

    def _ask(self) -> None:
        """Find out whether it matters: from what it imports on, each file once for all."""
        by: dict[Module, Module | None] = {self: None}
        ahead = [self]
        for module in ahead:
            if module._matters is None:
                words, imports = module._says
                if not words:
                    new = [one for one in imports if one not in by]
                    by |= dict.fromkeys(new, module)
                    ahead += new
                    continue
            elif not module._matters:
                continue
            # All on the way here do.
            way: Module | None = module
            while way is not None:
                way._matters = True
                way = by[way]
            return
        for module in ahead:
            module._matters = False

    @cached_property
    def _says(self) -> tuple[bool, list[Module]]:
        """Whether it says a word of PyTorch; if not, what it imports of the tree."""
        if not self.is_file and self._text is None:
            return False, []
        try:
            found = fragments.mentions(self.source)
            return found, [] if found else list(dict.fromkeys(self._imports()))
        except (OSError, SyntaxError, ValueError):
            return False, []

    def _may_train(self) -> bool:
        """Whether it seems to train with PyTorch, or has to do with training for files that do."""
        how = fragments.says(self.source)
        return how == "trains" or (how == "perhaps" and self.is_told_elsewhere(_WORD))

    @cached_property
    def names_torch(self) -> bool:
        """Whether its code names PyTorch, or imports of the tree what has to do with it."""
        return fragments.names(self.source) or any(one.matters for one in self._imported)

    @cached_property
    def _imported(self) -> list[Module]:
        """What it imports of the tree: asked for by all that import it."""
        return list(dict.fromkeys(self._imports()))

    def _imports(self) -> Iterator[Module]:
        for node in self.source.all(ast.Import):
            for alias in node.names:
                yield from self.imported(0, alias.name) or ()
        for one in self.source.all(ast.ImportFrom):
            names = [alias.name for alias in one.names]
            found = self.imported(one.level, one.module or "", names) or ()
            yield from found
            if found and (folder := found[-1].folder):
                inner = [m for name in names if (m := self.table.inside(folder, name)) is not None]
                self._look_at(inner)
                yield from inner
