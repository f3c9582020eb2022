"""The files beside an open one, as a scan of their folder would read them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Set
from functools import cached_property
from pathlib import Path

from msmap.code import files
from msmap.code.import_index import words
from msmap.infer.facts import Facts
from msmap.infer.modules import Modules

_TRAINS = ".train("
_NOTHING = (None, frozenset[str](), False)


class Tree:
    """The Python files and notebooks below a folder; what stands in them is read once.

    Args:
        folder: the folder, None for a file that stands in none.
        exclude: patterns of names or paths to leave out.
    """

    def __init__(self, folder: Path | None, exclude: tuple[str, ...] = ()) -> None:
        found = files.find([folder], exclude).files if folder is not None else ()
        self.files = {os.path.abspath(path) for path in found}
        # By path: when it was changed, its words, and whether anything in it is trained.
        self._read: dict[str, tuple[object, frozenset[str], bool]] = {}

    def modules(self, opened: Mapping[str, str], facts: Facts) -> Modules:
        """What the files import of each other, with the texts of those that are open."""

        def text(path: Path) -> str:
            found = opened.get(str(path))
            return files.read(path).text if found is None else found

        # All files are read for this: once, and not for each letter that is typed.
        saying = _Saying(self, opened)
        return Modules(map(Path, {*self.files, *opened}), facts, text, saying)

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
                text = files.read(Path(path)).text
                found = (stamp, frozenset(words(text)), _TRAINS in text)
                self._read[path] = found
            return found
        except (OSError, ValueError):
            return _NOTHING


class _Saying:
    """Gives the files in which a word stands, looked for when somebody asks."""

    def __init__(self, tree: Tree, opened: Mapping[str, str]) -> None:
        self._tree, self._opened = tree, opened
        self._found: dict[str, Set[str]] = {}

    @cached_property
    def _words(self) -> dict[str, Set[str]]:
        """The words of each file, as they are now."""
        found: dict[str, Set[str]] = {path: words(text) for path, text in self._opened.items()}
        rest = self._tree.files - found.keys()
        return found | {path: self._tree.read(path)[1] for path in rest}

    def __call__(self, word: str) -> Set[str]:
        found = self._found.get(word)
        if found is None:
            found = {path for path, said in self._words.items() if word in said}
            self._found[word] = found
        return found
