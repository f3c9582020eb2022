"""Work on each file of a tree: side by side, and only on what has changed since."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from msmap import cache
from msmap.code import files as project
from msmap.model import Unread
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects.files import Asked, Worker, size
from msmap.query.projects.unchanged import Came, Unchanged

# With fewer bytes to read, starting processes takes longer than it saves.
_WORTH_PROCESSES = 200_000


def each(
    asked: Asked,
    kb: KnowledgeBase,
    jobs: int | None = 1,
    kept: bool = False,
    progress: Callable[[int, int], None] | None = None,
    scheduler: str | None = None,
) -> Iterator[Any]:
    """What comes of each file of a tree, in order.

    Args:
        asked: the files and the work.
        kb: the base.
        jobs: processes at most; None is one a core.
        kept: take what an earlier run found of files where nothing has changed that it depends on,
            and keep what this one finds, in ``cache.folder()``.
        progress: called after each file with how many are done, and how many there are.
        scheduler: the address of a Dask scheduler whose workers do the work.

    Raises:
        NoWorkers: the scheduler isn't there, or has no workers that can do it.
    """
    work = _Work(asked, kb, jobs, scheduler)
    for number, one in enumerate(_kept(work) if kept else work.all(), 1):
        if progress is not None:
            progress(number, len(asked.files))
        yield one


@dataclass(frozen=True, slots=True)
class _Work:
    """What is asked, and where it is done."""

    asked: Asked
    kb: KnowledgeBase
    jobs: int | None
    scheduler: str | None

    def all(self) -> Iterator[Any]:
        """What comes of each file."""
        return (came.done for came in self.of(self.asked.files, False))

    def of(self, files: Sequence[Path], tells: bool) -> Iterator[Came]:
        """What comes of each of some files of the tree; ``tells`` says whether also why."""
        if self.scheduler is not None and files:
            from msmap.query.projects import cluster as spread

            yield from spread.each(self.asked, files, self.scheduler, tells)
            return
        wanted = min(self.jobs or os.cpu_count() or 1, len(files))
        if wanted > 1 and sum(map(size, files)) > _WORTH_PROCESSES:
            yield from _side_by_side(self.asked, files, wanted, tells)
            return
        worker = Worker(self.asked, self.kb, tells)
        with _no_collecting():
            for path in files:
                yield worker.work(path)


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


_worker: Worker | None = None


def _begin(asked: Asked, tells: bool) -> None:
    """Make a process ready."""
    global _worker  # noqa: PLW0603 - what a process of a pool knows has no other place
    gc.disable()
    kb = KnowledgeBase.open(asked.database, asked.mindspore, asked.device)
    _worker = Worker(asked, kb, tells)


def _work(path: Path) -> Came:
    assert _worker is not None, "the process has begun"
    return _worker.work(path)


def _side_by_side(
    asked: Asked, files: Sequence[Path], jobs: int, tells: bool
) -> Iterator[Came]:  # fmt: skip
    """The same in several processes; a process that ends costs the file that ended it alone."""
    left = list(files)
    size = max(1, min(16, len(files) // jobs // 4))
    try:
        with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(asked, tells)) as pool:
            for done in pool.map(_work, files, chunksize=size):
                yield done
                left.pop(0)
    except BrokenProcessPool:
        for path in left:
            yield _alone(asked, path, tells)


def _alone(asked: Asked, path: Path, tells: bool) -> Came:
    """What comes of a file in a process of its own."""
    try:
        with ProcessPoolExecutor(1, initializer=_begin, initargs=(asked, tells)) as pool:
            return pool.submit(_work, path).result()
    except BrokenProcessPool:
        return Came(project.told(path, "crashed", "its process ended"))


def _kept(work: _Work) -> Iterator[Any]:
    """What comes of all files, as an earlier run found it where it would find the same."""
    asked = work.asked
    place = cache.folder()
    if place is None or not asked.files:
        yield from work.all()
        return
    question = replace(asked, files=())
    tree = Unchanged(place / asked.kind, asked.kind, question, asked.files, _maker(asked))
    known = tree.came(asked.modules(work.kb))
    places = {path: os.path.abspath(path) for path in asked.files}
    fresh = work.of([path for path in asked.files if places[path] not in known], True)
    new: dict[str, Came] = {}
    for path, name in places.items():
        if name in known:
            new[name] = came = known[name]
            is_lost = isinstance(came.done, Unread)
            yield came.done if is_lost else asked.again(path, tree.contents[path], came.done)
            continue
        came = next(fresh)
        if not isinstance(came.done, Unread):
            new[name] = replace(came, done=asked.keep(came.done))
        elif came.done.kind not in ("crashed", "changed"):
            new[name] = came
        yield came.done
    tree.keep(new)


def _maker(asked: Asked) -> bytes:
    """What made the results, told by the times of its files: the program and the database."""
    root = Path(__file__).parents[1]
    files = [Path(asked.database), *sorted(root.rglob("*.py"))]
    return "\n".join(f"{p} {(s := p.stat()).st_size} {s.st_mtime_ns}" for p in files).encode()
