"""Files and folders ported by a base: side by side, and only what has changed since."""

from __future__ import annotations

import gc
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from msmap import cache
from msmap.code import project
from msmap.code.modules import Modules
from msmap.code.source import Change
from msmap.model import Unread
from msmap.port import project as porting
from msmap.port.project import Done
from msmap.ported import PortedFile
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.porting import WithProbes
from msmap.vocabulary import Language

# With fewer bytes to read, starting processes takes longer than it saves.
_WORTH_PROCESSES = 200_000
# What is thrown away meanwhile is looked for after so many characters.
_TIDY = 3_000_000
# So many projects' results are left.
_PROJECTS = 20

# What is kept of a file: what was told, and the changes; or why nothing was read.
_Kept = tuple[PortedFile, tuple[Change, ...]] | Unread


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of each file, and the base that answers, so that a process can open it."""

    database: str
    mindspore: str
    device: str | None
    files: tuple[Path, ...]
    language: Language = "en"
    probed: bool = False


def port(
    kb: KnowledgeBase,
    paths: Iterable[str | Path],
    language: Language = "en",
    probed: bool = False,
    exclude: Sequence[str] = (),
    jobs: int | None = 1,
    kept: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Done | Unread]:
    """What becomes of each file that some paths mean, in order; nothing is written.

    What can't be read of the paths themselves comes first.

    Args:
        kb: the base, with its release of MindSpore and its device.
        paths: files, and folders with all Python and notebooks below.
        language: of the comments above what was left.
        probed: where there is no record, use what probing found.
        exclude: patterns of names or paths to leave out.
        jobs: processes at most; None is one a core.
        kept: take what an earlier run found of files that haven't changed, and keep what this one
            finds, in ``cache.folder()``.
        progress: called after each file with how many are done, and how many there are.
    """
    found = project.find(paths, exclude)
    yield from found.unread
    release = kb.releases()["mindspore"]
    asked = Asked(str(kb.path), release, kb.device or None, found.files, language, probed)
    done = _kept(asked, jobs, kb) if kept else _each(asked, found.files, jobs, kb)
    for number, one in enumerate(done, 1):
        if progress is not None:
            progress(number, len(found.files))
        yield one


def _each(
    asked: Asked, files: Sequence[Path], jobs: int | None, kb: KnowledgeBase | None
) -> Iterator[Done | Unread]:
    """What becomes of each of some files of a tree."""
    wanted = min(jobs or os.cpu_count() or 1, len(files))
    if wanted > 1 and sum(map(_size, files)) > _WORTH_PROCESSES:
        yield from _side_by_side(asked, files, wanted)
        return
    worker = _Worker(asked, kb)
    with _no_collecting():
        for path in files:
            yield worker.port(path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class _Worker:
    """What ports one file after the other."""

    def __init__(self, asked: Asked, kb: KnowledgeBase | None = None) -> None:
        self.asked = asked
        kb = kb or KnowledgeBase.open(asked.database, asked.mindspore, asked.device)
        facts = WithProbes(kb) if asked.probed else None
        self.modules = Modules(asked.files, facts or kb, lambda path: project.read(path).text)
        self.marked = None if facts is None else facts.said
        self.read = 0

    def port(self, path: Path) -> Done | Unread:
        """What becomes of a file; a mistake of ours costs that file alone."""
        try:
            done = porting.port(path, self.modules, self.asked.language, self.marked)
        except Exception as error:  # whatever it is, other files are waiting
            return project.told(path, "crashed", f"{type(error).__name__}: {error}")
        self.read += len(done.file.text) if isinstance(done, Done) else 0
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
    _worker = _Worker(asked)


def _port(path: Path) -> Done | Unread:
    assert _worker is not None, "the process has begun"
    return _worker.port(path)


def _side_by_side(asked: Asked, files: Sequence[Path], jobs: int) -> Iterator[Done | Unread]:
    """The same in several processes; a process that ends costs the file that ended it alone."""
    left = list(files)
    try:
        with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(asked,)) as pool:
            for done in pool.map(_port, files, chunksize=max(1, min(16, len(files) // jobs // 4))):
                yield done
                left.pop(0)
    except BrokenProcessPool:
        for path in left:
            yield _alone(asked, path)


def _alone(asked: Asked, path: Path) -> Done | Unread:
    """What becomes of a file in a process of its own."""
    try:
        with ProcessPoolExecutor(1, initializer=_begin, initargs=(asked,)) as pool:
            return pool.submit(_port, path).result()
    except BrokenProcessPool:
        return project.told(path, "crashed", "its process ended")


def _kept(asked: Asked, jobs: int | None, kb: KnowledgeBase) -> Iterator[Done | Unread]:
    """What becomes of all files, as an earlier run found it where nothing has changed since.

    What a file becomes depends on all files of its tree, which it may import.
    """
    place = cache.folder()
    if place is None or not asked.files:
        yield from _each(asked, asked.files, jobs, kb)
        return
    made_by = _maker(asked)
    contents = {path: _content(path) for path in asked.files}
    tree = hashlib.blake2b()
    for path, content in contents.items():
        tree.update(os.fsencode(path.absolute()) + b"\0" + hashlib.blake2b(content).digest())
    name = cache.name("port", Path(os.path.commonpath([p.absolute() for p in asked.files])))
    key = (tree.digest(), asked)
    before = cache.read(place / "port", name, made_by)
    old: dict[Path, _Kept] = before[1] if before is not None and before[0] == key else {}
    fresh = _each(asked, [path for path in asked.files if path not in old], jobs, kb)
    new: dict[Path, _Kept] = {}
    for path in asked.files:
        found = old.get(path)
        if found is None:
            done = next(fresh)
        else:
            done = found if isinstance(found, Unread) else _again(path, contents[path], *found)
        if isinstance(done, Done):
            new[path] = (done.told, done.changes)
        elif done.kind != "crashed":
            new[path] = done
        yield done
    if new.keys() != old.keys():
        cache.write(place / "port", name, (key, new), made_by, _PROJECTS)


def _again(path: Path, content: bytes, told: PortedFile, changes: tuple[Change, ...]) -> Done:
    return Done(project.decode(path, content), changes, told)


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
