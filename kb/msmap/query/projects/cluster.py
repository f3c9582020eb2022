"""The files of a tree handed to the workers of a Dask cluster, one file after the other each.

Workers read the files themselves, under the paths that they have here, as on a file system that all
machines share; each asks its own database, which must be the same.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from msmap import workers
from msmap.code import files as project
from msmap.errors import DatabaseError, MsmapError, NoWorkers
from msmap.messages import Message, joined
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import files
from msmap.query.projects.unchanged import Came
from msmap.workers import Batch, Told

_NAME = "files"
_OTHER = Message("it has another database than is here")


def each(
    asked: files.Asked, paths: Sequence[Path], scheduler: str, tells: bool
) -> Iterator[Came]:  # fmt: skip
    """What comes of each of some files of a tree, in order; ``tells`` as in ``files.Worker``.

    Raises:
        NoWorkers: the scheduler isn't there, or no worker can read the files.
    """
    given = {os.path.abspath(path): path for path in paths}
    whole = replace(asked, files=tuple(path.absolute() for path in asked.files))
    crew = workers.Workers(scheduler, Reader(whole, tells))
    try:
        if not crew.able:
            idle = sorted(crew.idle.items())
            said = joined("; ", [Message("{}: {}", address, why) for address, why in idle])
            raise NoWorkers("no worker can read the files: {}", said)
        gone = NoWorkers("no worker that can read the files is left")
        came: dict[str, Came] = {}
        done = crew.run([crew.queue(_NAME, list(given), _lost, gone)])
        for place, path in given.items():
            while place not in came:
                _, (one, found) = next(done)
                came[one] = found
            found = came.pop(place)
            yield replace(found, done=asked.named(path, found.done))
    finally:
        crew.close()


def _lost(place: str) -> tuple[str, Came]:
    """What comes of a file that takes its worker down."""
    return place, Came(project.told(Path(place), "crashed", "its process ended"))


class Reader(workers.Beside):
    """Reads files beside a worker."""

    def __init__(self, asked: files.Asked, tells: bool) -> None:
        super().__init__()
        self.asked, self.tells = asked, tells
        self.sizes = [_size(path) for path in asked.files]
        self.digest = _digest(asked.database)

    def begin(self, threads: int) -> Told:
        """See that database and files are there as they are where they were asked for."""
        # What reads a database belongs to one thread.
        self.mine = threading.local()
        try:
            self.database = self._database()
        except (MsmapError, OSError) as error:
            return Told(problem=Message("{}", error))
        for path, size in zip(self.asked.files, self.sizes, strict=True):
            if _size(path) != size:
                return Told(problem=Message("it doesn't see {} as it is here", path))
        return Told(_NAME, _NAME)

    def _database(self) -> str:
        """The path of the same database.

        Raises:
            DatabaseError: there is none here.
        """
        if os.path.isfile(self.asked.database) and _digest(self.asked.database) == self.digest:
            return self.asked.database
        with KnowledgeBase.open() as kb:
            found = str(kb.path)
        if _digest(found) != self.digest:
            raise DatabaseError(_OTHER)
        return found

    def work(self, batch: Batch) -> list[tuple[str, Came]]:
        """What comes of some files, each with its path."""
        if not hasattr(self.mine, "worker"):
            asked = self.asked
            kb = KnowledgeBase.open(self.database, asked.mindspore, asked.device)
            self.mine.worker = files.Worker(asked, kb, self.tells)
        return [(place, self.mine.worker.work(Path(place))) for place in batch]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


@cache
def _digest(path: str) -> str:
    """That of a file."""
    return hashlib.blake2b(Path(path).read_bytes()).hexdigest()
