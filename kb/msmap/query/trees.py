"""Work on each file of a tree: side by side, and only on what has changed since."""

from __future__ import annotations

import gc
import hashlib
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from msmap import cache
from msmap.code import project
from msmap.code.facts import Facts
from msmap.code.modules import Modules
from msmap.model import Unread
from msmap.query.knowledge_base import KnowledgeBase

# With fewer bytes to read, starting processes takes longer than it saves.
_WORTH_PROCESSES = 200_000
# What is thrown away meanwhile is looked for after so many bytes.
_TIDY = 3_000_000
# So many trees' results are left of a kind.
_TREES = 20


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
    def begin(self, kb: KnowledgeBase) -> Callable[[Path], Any]:
        """What does the work on one file after the other; Unread is why it wasn't done."""

    def keep(self, done: Any) -> Any:
        """What of a result is kept."""
        return done

    def again(self, path: Path, content: bytes, kept: Any) -> Any:
        """The result of which that was kept."""
        return kept

    def modules(self, facts: Facts) -> Modules:
        """What the files import of each other."""
        return Modules(self.files, facts, lambda path: project.read(path).text)


def each(
    asked: Asked,
    kb: KnowledgeBase,
    jobs: int | None = 1,
    kept: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Any]:
    """What comes of each file of a tree, in order.

    Args:
        asked: the files and the work.
        kb: the base.
        jobs: processes at most; None is one a core.
        kept: take what an earlier run found of files that haven't changed, and keep what this one
            finds, in ``cache.folder()``.
        progress: called after each file with how many are done, and how many there are.
    """
    done = _kept(asked, jobs, kb) if kept else _each(asked, asked.files, jobs, kb)
    for number, one in enumerate(done, 1):
        if progress is not None:
            progress(number, len(asked.files))
        yield one


def _each(
    asked: Asked, files: Sequence[Path], jobs: int | None, kb: KnowledgeBase
) -> Iterator[Any]:
    """What comes of each of some files of a tree."""
    wanted = min(jobs or os.cpu_count() or 1, len(files))
    if wanted > 1 and sum(map(_size, files)) > _WORTH_PROCESSES:
        yield from _side_by_side(asked, files, wanted)
        return
    worker = _Worker(asked, kb)
    with _no_collecting():
        for path in files:
            yield worker.work(path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class _Worker:
    """What works on one file after the other."""

    def __init__(self, asked: Asked, kb: KnowledgeBase) -> None:
        self.begun = asked.begin(kb)
        self.read = 0

    def work(self, path: Path) -> Any:
        """What comes of a file; a mistake of ours costs that file alone."""
        try:
            done = self.begun(path)
        except Exception as error:  # whatever it is, other files are waiting
            return project.told(path, "crashed", f"{type(error).__name__}: {error}")
        self.read += _size(path)
        if self.read > _TIDY:
            self.read = 0
            gc.collect()
        return done


@contextmanager
def _no_collecting() -> Iterator[None]:
    """A block in which nothing is looked for that can be thrown away: that takes half of the time.

    Other threads may rely on it.
    """
    alone = threading.active_count() == 1 and gc.isenabled()
    if alone:
        gc.disable()
    try:
        yield
    finally:
        if alone:
            gc.enable()


_worker: _Worker | None = None


def _begin(asked: Asked) -> None:
    """Make a process ready."""
    global _worker  # noqa: PLW0603 - what a process of a pool knows has no other place
    gc.disable()
    _worker = _Worker(asked, KnowledgeBase.open(asked.database, asked.mindspore, asked.device))


def _work(path: Path) -> Any:
    assert _worker is not None, "the process has begun"
    return _worker.work(path)


def _side_by_side(asked: Asked, files: Sequence[Path], jobs: int) -> Iterator[Any]:
    """The same in several processes; a process that ends costs the file that ended it alone."""
    left = list(files)
    try:
        with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(asked,)) as pool:
            for done in pool.map(_work, files, chunksize=max(1, min(16, len(files) // jobs // 4))):
                yield done
                left.pop(0)
    except BrokenProcessPool:
        for path in left:
            yield _alone(asked, path)


def _alone(asked: Asked, path: Path) -> Any:
    """What comes of a file in a process of its own."""
    try:
        with ProcessPoolExecutor(1, initializer=_begin, initargs=(asked,)) as pool:
            return pool.submit(_work, path).result()
    except BrokenProcessPool:
        return project.told(path, "crashed", "its process ended")


def _kept(asked: Asked, jobs: int | None, kb: KnowledgeBase) -> Iterator[Any]:
    """What comes of all files, as an earlier run found it where nothing has changed since.

    What comes of a file depends on all files of its tree, which it may import.
    """
    place = cache.folder()
    if place is None or not asked.files:
        yield from _each(asked, asked.files, jobs, kb)
        return
    place /= asked.kind
    made_by = _maker(asked)
    contents = {path: _content(path) for path in asked.files}
    name = cache.name(
        asked.kind, Path(os.path.commonpath([path.absolute() for path in asked.files]))
    )
    key = (_tree(contents.items()), asked)
    before = cache.read(place, name, made_by)
    old: dict[Path, Any] = before[1] if before is not None and before[0] == key else {}
    fresh = _each(asked, [path for path in asked.files if path not in old], jobs, kb)
    new: dict[Path, Any] = {}
    for path in asked.files:
        if path in old:
            new[path] = old[path]
            yield (
                old[path]
                if isinstance(old[path], Unread)
                else asked.again(path, contents[path], old[path])
            )
            continue
        done = next(fresh)
        if not isinstance(done, Unread):
            new[path] = asked.keep(done)
        elif done.kind != "crashed":
            new[path] = done
        yield done
    if new.keys() != old.keys():
        cache.write(place, name, (key, new), made_by, _TREES)


def _tree(contents: Iterable[tuple[Path, bytes]]) -> bytes:
    """A digest of what files hold, and where they stand."""
    tree = hashlib.blake2b()
    for path, content in contents:
        tree.update(os.fsencode(path.absolute()) + b"\0" + hashlib.blake2b(content).digest())
    return tree.digest()


def _content(path: Path) -> bytes:
    """What a file holds as far as it is read; nothing if it can't be."""
    try:
        file = project.read(path)
    except project.Unreadable as error:
        return repr(error.unread).encode(errors="backslashreplace")
    return file.bytes(file.text)


def _maker(asked: Asked) -> bytes:
    """What made the results, told by the times of its files: the program and the database."""
    root = Path(__file__).parents[1]
    files = [Path(asked.database), *sorted(root.rglob("*.py"))]
    return "\n".join(f"{p} {(s := p.stat()).st_size} {s.st_mtime_ns}" for p in files).encode()
