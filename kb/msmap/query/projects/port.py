"""Files and folders ported by a base."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from msmap.code import files as project
from msmap.infer.modules import Modules
from msmap.model import Unread
from msmap.port import project as porting
from msmap.port.project import Done
from msmap.query.base.porting import WithProbes
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import files, trees
from msmap.vocabulary import Language


@dataclass(frozen=True, slots=True)
class Asked(files.Asked):
    """Files to be ported."""

    kind: ClassVar[str] = "port"

    language: Language = "en"
    probed: bool = False

    def begin(self, kb: KnowledgeBase) -> tuple[Callable[[Path], Done | Unread], Modules]:
        """What ports one file after the other."""
        facts = WithProbes(kb) if self.probed else None
        modules = self.modules(facts or kb)
        marked = None if facts is None else facts.said
        return (lambda path: porting.port(path, modules, self.language, marked)), modules

    def named(self, path: Path, done: Done | Unread) -> Done | Unread:
        """The same of a file by another name."""
        if isinstance(done, Unread):
            return replace(done, path=str(path))
        told = replace(done.told, path=str(path))
        return replace(done, file=replace(done.file, path=path), told=told)

    def keep(self, done: Done) -> Any:
        """What was told, and the changes."""
        return done.told, done.changes

    def again(self, path: Path, content: bytes, kept: Any) -> Done:
        """The same of the file as it stands."""
        told, changes = kept
        return Done(project.decode(path, content), changes, told)


def port(
    kb: KnowledgeBase,
    paths: Iterable[str | Path],
    language: Language = "en",
    probed: bool = False,
    exclude: Sequence[str] = (),
    jobs: int | None = 1,
    kept: bool = False,
    progress: Callable[[int, int], None] | None = None,
    scheduler: str | None = None,
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
        scheduler: the address of a Dask scheduler whose workers read the files.

    Raises:
        NoWorkers: the scheduler isn't there, or has no workers that can do it.
    """
    found = project.find(paths, exclude)
    yield from found.unread
    release = kb.releases()["mindspore"]
    asked = Asked(str(kb.path), release, kb.device or None, found.files, language, probed)
    yield from trees.each(asked, kb, jobs, kept, progress, scheduler)
