"""Files and folders scanned by a base: what in them is PyTorch's, and what becomes of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from msmap.code import files as project
from msmap.infer.modules import Modules
from msmap.model import Unread
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import files, trees
from msmap.scan import find, judge, score
from msmap.scan.report import Report, Scanned


@dataclass(frozen=True, slots=True)
class Asked(files.Asked):
    """Files to be scanned; ``here`` is the folder from which they are seen."""

    kind: ClassVar[str] = "scan"

    here: str

    def begin(self, kb: KnowledgeBase) -> tuple[Callable[[Path], Scanned], Modules]:
        """What scans one file after the other."""
        modules = self.modules(kb)
        return (lambda path: find.scan(path, modules, self.shown(path))), modules

    def shown(self, path: Path) -> str:
        """A path as seen from here, with slashes; whole where it is elsewhere."""
        return Path(os.path.abspath(path).removeprefix(self.here)).as_posix()


def scan(
    kb: KnowledgeBase,
    paths: Iterable[str | Path],
    exclude: Sequence[str] = (),
    known: frozenset[tuple[str, str]] = frozenset(),
    jobs: int | None = 1,
    kept: bool = False,
    progress: Callable[[int, int], None] | None = None,
    scheduler: str | None = None,
) -> Report:
    """What some files and folders use of PyTorch; nothing is written.

    Args:
        kb: the base, with its release of MindSpore and its device.
        paths: files, and folders with all Python and notebooks below.
        exclude: patterns of names or paths to leave out.
        known: findings of a baseline, which count no more.
        jobs: processes at most; None is one a core.
        kept: take what an earlier run found of files that haven't changed, and keep what this one
            finds, in ``cache.folder()``.
        progress: called after each file with how many are done, and how many there are.
        scheduler: the address of a Dask scheduler whose workers read the files.

    Raises:
        NoWorkers: the scheduler isn't there, or has no workers that can do it.
    """
    found = project.find(paths, exclude)
    release = kb.releases()["mindspore"]
    here = os.path.join(os.getcwd(), "")
    asked = Asked(str(kb.path), release, kb.device or None, found.files, here)
    each = trees.each(asked, kb, jobs, kept, progress, scheduler)
    read = [
        Scanned(asked.shown(path), (), (), (done,)) if isinstance(done, Unread) else done
        for path, done in zip(found.files, each, strict=True)
    ]
    return report(kb, read, found.unread, known)


def report(
    kb: KnowledgeBase,
    read: Sequence[Scanned],
    unread: Iterable[Unread],
    known: frozenset[tuple[str, str]],
) -> Report:
    """What was found in files, with counts."""
    from msmap import __version__

    sites = judge.settled(read, known)
    there = {(site.fingerprint, site.rule) for site in sites}
    lost = [*unread, *(told for file in read for told in file.unread)]
    return Report(
        __version__,
        kb.releases(),
        kb.device,
        len(read),
        score.counts(sites),
        score.apis(sites),
        score.files(sites),
        tuple(sites),
        tuple(lost),
        tuple(unused for file in read for unused in file.unused),
        tuple(sorted(name for name, rule in known if (name, rule) not in there)),
    )
