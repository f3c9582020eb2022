"""The files beside an open one, as a scan of their folder would read them."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from msmap.code import project
from msmap.code.facts import Facts
from msmap.code.modules import Modules

_WORDS = re.compile(r"[^\W\d]\w*")
_TRAINS = ".train("
_NOTHING = (None, frozenset[str](), False)


class Tree:
    """The Python files and notebooks below a folder; what stands in them is read once.

    Args:
        folder: the folder, None for a file that stands in none.
        exclude: patterns of names or paths to leave out.
    """

    def __init__(self, folder: Path | None, exclude: tuple[str, ...] = ()) -> None:
        found = project.find([folder], exclude).files if folder is not None else ()
        self.files = {os.path.abspath(path) for path in found}
        # By path: when it was changed, its words, and whether anything in it is trained.
        self._read: dict[str, tuple[object, frozenset[str], bool]] = {}

    def modules(self, opened: Mapping[str, str], facts: Facts) -> Modules:
        """What the files import of each other, with the texts of those that are open."""

        def text(path: Path) -> str:
            found = opened.get(str(path))
            return project.read(path).text if found is None else found

        made = Modules(map(Path, {*self.files, *opened}), facts, text)
        # All files are read for this: once, and not for each letter that is typed.
        made.told = _Told(self, opened)
        return made

    def trains(self, opened: Mapping[str, str], but: str) -> bool:
        """Whether anything is trained in another file than one."""
        return any(
            _TRAINS in opened[path] if path in opened else self.read(path)[2]
            for path in {*self.files, *opened} - {but}
        )

    def read(self, path: str) -> tuple[object, frozenset[str], bool]:
        """When a file was changed, its words, and whether anything in it is trained."""
        try:
            status = os.stat(path)
            stamp = (status.st_mtime_ns, status.st_size)
            found = self._read.get(path, _NOTHING)
            if found[0] != stamp:
                text = project.read(Path(path)).text
                found = (stamp, frozenset(_WORDS.findall(text)), _TRAINS in text)
                self._read[path] = found
            return found
        except (OSError, ValueError):
            return _NOTHING


class _Told(Counter[str]):
    """In how many files each word stands, counted when somebody asks."""

    def __init__(self, tree: Tree, opened: Mapping[str, str]) -> None:
        super().__init__()
        self._tree, self._opened = tree, opened

    @cached_property
    def _words(self) -> list[frozenset[str]]:
        """The words of each file, as they are now."""
        rest = self._tree.files - self._opened.keys()
        opened = [frozenset(_WORDS.findall(text)) for text in self._opened.values()]
        return [*opened, *(self._tree.read(path)[1] for path in rest)]

    def __missing__(self, word: str) -> int:
        self[word] = sum(word in words for words in self._words)
        return self[word]
