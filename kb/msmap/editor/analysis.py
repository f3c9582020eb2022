"""What msmap knows of an open file: its findings, and what each place becomes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msmap.code import files
from msmap.code.files import File, Unreadable
from msmap.editor.tree import Tree
from msmap.errors import MsmapError
from msmap.infer import opening as opened
from msmap.model import Unread
from msmap.port import project as porting
from msmap.port import single
from msmap.ported import Edited
from msmap.query.knowledge_base import KnowledgeBase
from msmap.scan import baseline, find, judge, settings
from msmap.scan.report import Site, Unused
from msmap.vocabulary import Language

Span = tuple[tuple[int, int], tuple[int, int]]


class Stale(BaseException):
    """Newer text came: nobody waits for an answer about this one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A file as it stands in an editor.

    ``opened`` are the texts of all open files by absolute path, ``path`` is the one that is asked
    about, ``folder`` the one that it belongs to. ``device`` and ``mindspore`` are the editor's
    settings, None to take those of the project.
    """

    path: str
    opened: Mapping[str, str]
    folder: Path | None
    device: str | None = None
    mindspore: str | None = None

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.opened[self.path]


@dataclass(frozen=True, slots=True)
class Analysis:
    """What stands in a file; places are msmap's, ``edits`` what each of them becomes by itself.

    ``import_`` is where, and what, has to be imported for these. ``shown`` is False where a scan
    of the folder leaves the file out. ``wrong`` is what is wrong with the project's settings;
    ``device`` and ``mindspore`` are what is asked for by them or by the editor's.
    """

    sites: tuple[Site, ...] = ()
    unused: tuple[Unused, ...] = ()
    unread: tuple[Unread, ...] = ()
    edits: Mapping[Span, str] = field(default_factory=dict)
    import_: tuple[tuple[int, int], str] | None = None
    shown: bool = True
    wrong: str = ""
    device: str | None = None
    mindspore: str | None = None


class Analyst:
    """Reads one file after the other, in one thread; bases and trees are kept between them."""

    def __init__(self) -> None:
        self._bases: dict[tuple[str | None, str | None], KnowledgeBase] = {}
        self._trees: dict[tuple[Path | None, tuple[str, ...]], Tree] = {}

    def forget(self) -> None:
        """Files came or went: trees are walked again."""
        self._trees.clear()

    def analyse(self, asked: Asked, is_stale: Callable[[], bool]) -> Analysis:
        """What stands in a file.

        Raises:
            Stale: ``is_stale`` said so meanwhile.
            MsmapError: the database can't be read, or nobody knows the release.
        """
        project_file, wanted, wrong = _settings(asked)
        device, mindspore = asked.device or wanted.device, asked.mindspore or wanted.mindspore
        tree, modules = self._modules(asked, wanted, is_stale)
        path = Path(asked.path)
        here = project_file.parent if project_file is not None else asked.folder
        shown = Path(os.path.relpath(path, here) if here else path.name).as_posix()
        known, bad = _known(wanted)
        is_shown = asked.path in tree.files or asked.folder is None or not path.exists()
        try:
            module, book = opened.read(path, modules)
            read = find.File(find.of(module), module.text, shown, book)
            found = read.scanned()
        except Unreadable as error:
            return Analysis((), (), (error.unread,), {}, None, is_shown, wrong or bad)
        except (RecursionError, MemoryError):
            return Analysis((), (), (files.told(path, "too_deep"),), {}, None, is_shown, wrong)
        if any(told.on == "mode" for site in found.sites for told in site.caveats):
            trains = found.trains or tree.trains(asked.opened, asked.path)
            found = replace(found, trains=trains)
        work = read.work
        place = work.source.place
        edits = {(place(b), place(e)): text for b, e, text in single.texts(work)}
        imported = single.imported(work) if edits else None
        return Analysis(
            tuple(judge.settled([found], known)),
            found.unused,
            found.unread,
            edits,
            None if imported is None else (place(imported[0]), imported[2]),
            is_shown,
            wrong or bad,
            device,
            mindspore,
        )

    def port(
        self, asked: Asked, language: Language, is_stale: Callable[[], bool]
    ) -> tuple[Edited, ...] | Unread:
        """What replaces parts of a file so that it is ported whole.

        Raises:
            As ``analyse``.
        """
        _, wanted, _ = _settings(asked)
        _, modules = self._modules(asked, wanted, is_stale)
        path = Path(asked.path)
        try:
            return porting.ported(File(path, asked.text), modules, language).told.edits
        except Unreadable as error:
            return error.unread
        except (RecursionError, MemoryError):
            return files.told(path, "too_deep")

    def _modules(
        self, asked: Asked, wanted: settings.Settings, is_stale: Callable[[], bool]
    ) -> tuple[Tree, Any]:
        key = (asked.folder, wanted.exclude)
        tree = self._trees.get(key)
        if tree is None:
            tree = self._trees[key] = Tree(*key)
        kb = self._base(asked.mindspore or wanted.mindspore, asked.device or wanted.device)
        return tree, tree.modules(asked.opened, _Facts(kb, is_stale))

    def _base(self, mindspore: str | None, device: str | None) -> KnowledgeBase:
        found = self._bases.get((mindspore, device))
        if found is None:
            found = KnowledgeBase.open(mindspore=mindspore, device=device)
            self._bases[(mindspore, device)] = found
        return found


def _settings(asked: Asked) -> tuple[Path | None, settings.Settings, str]:
    """The project's file, what it asks for, and what is wrong with that."""
    path = settings.place(Path(asked.path).parent)
    try:
        return path, settings.Settings() if path is None else settings.read(path), ""
    except settings.BadSettings as error:
        return path, settings.Settings(), str(error)


def _known(wanted: settings.Settings) -> tuple[frozenset[tuple[str, str]], str]:
    """The findings of the project's baseline, and what is wrong with it."""
    if wanted.baseline is None:
        return frozenset(), ""
    try:
        return baseline.read(wanted.baseline), ""
    except (OSError, MsmapError) as error:
        return frozenset(), str(error)


class _Facts:
    """What the rewriter asks of a base, until newer text comes."""

    def __init__(self, kb: KnowledgeBase, is_stale: Callable[[], bool]) -> None:
        self._kb, self._is_stale, self.device = kb, is_stale, kb.device
        self.mindspore_dtype, self.torch_kind = kb.mindspore_dtype, kb.torch_kind
        self.returns, self.methods = kb.returns, kb.methods
        self.unrecorded = kb.unrecorded

    def torch_name(self, spelling: str) -> str | None:
        """As the base's."""
        self._look()
        return self._kb.torch_name(spelling)

    def find(self, name: str) -> Any:
        """As the base's."""
        self._look()
        return self._kb.find(name)

    def _look(self) -> None:
        if self._is_stale():
            raise Stale
