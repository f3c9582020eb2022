"""What is asked of each file of a tree, and what answers it, here or in another process."""

from __future__ import annotations

import gc
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from msmap.code import files as project
from msmap.infer.facts import Facts
from msmap.infer.modules import Modules
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects.unchanged import Came

# What is thrown away meanwhile is looked for after so many bytes.
_TIDY = 3_000_000


@dataclass(frozen=True, slots=True)
class Asked(ABC):
    """What is asked of each file, and the base that answers, so that a process can open it.

    ``kind`` names the work. What comes of a file is kept as ``keep`` gives it, and is ``again``
    what it was, of the bytes that the file holds.
    """

    kind: ClassVar[str] = ""

    database: str
    mindspore: str
    device: str | None
    files: tuple[Path, ...]

    @abstractmethod
    def begin(self, kb: KnowledgeBase) -> tuple[Callable[[Path], Any], Modules]:
        """What does the work on one file after the other, and the tree that it reads.

        Unread is why it wasn't done.
        """

    def keep(self, done: Any) -> Any:
        """What of a result is kept."""
        return done

    def named(self, path: Path, done: Any) -> Any:
        """A result under another name of the file that it is of."""
        return done

    def again(self, path: Path, content: bytes, kept: Any) -> Any:
        """The result of which that was kept."""
        return kept

    def modules(self, facts: Facts) -> Modules:
        """What the files import of each other."""
        return Modules(self.files, facts, lambda path: project.read(path).text)


class Worker:
    """What works on one file after the other; ``tells`` says whether it says what that rests on."""

    def __init__(self, asked: Asked, kb: KnowledgeBase, tells: bool) -> None:
        self.begun, self.modules = asked.begin(kb)
        self.tells = tells
        self.read = 0

    def work(self, path: Path) -> Came:
        """What comes of a file; a mistake of ours costs that file alone."""
        try:
            done = self.begun(path)
        except Exception as error:  # whatever it is, other files are waiting
            return Came(project.told(path, "crashed", f"{type(error).__name__}: {error}"))
        self.read += size(path)
        if self.read > _TIDY:
            self.read = 0
            gc.collect()
        if not self.tells:
            return Came(done)
        place = os.path.abspath(path)
        told = tuple(self.modules.told.get(place, {}).items())
        return Came(done, tuple(self.modules.behind(place)), told)


def size(path: Path) -> int:
    """The bytes of a file; 0 if there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
