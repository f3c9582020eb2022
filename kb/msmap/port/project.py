"""A file ported: what becomes of it, what was left and why, and the file written anew."""

from __future__ import annotations

import ast
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from pathlib import Path

from msmap import atomic, phrases
from msmap.code import files, notebooks
from msmap.code.files import File, Unreadable
from msmap.code.git import Committed
from msmap.code.notebooks import Notebook
from msmap.code.source import Change
from msmap.infer import opening
from msmap.infer.modules import Module, Modules
from msmap.model import Port, Refusal, Text, Unread
from msmap.port import areas, comments, earlier_runs, imports, magics
from msmap.port.rewrite import rewriter
from msmap.ported import Edited, Left, Note, PortedFile
from msmap.vocabulary import OUTCOMES, Language


@dataclass(frozen=True, slots=True)
class Done:
    """A file with what porting makes of it: changes by byte of its text as UTF-8."""

    file: File
    changes: tuple[Change, ...]
    told: PortedFile

    @property
    def text(self) -> str:
        """The whole text with all changes made."""
        return notebooks.made(self.file.text, self.changes)


# Uses of what an import names.
_BY_NAME = ("name", "call", "class", "torn", "text")

# What is said of a port besides, such as what it rests on.
Marked = Callable[[Port], Iterable[Text]]


def port(
    path: Path, modules: Modules, language: Language = "en", marked: Marked | None = None
) -> Done | Unread:
    """What becomes of a file, Python or a notebook; why nothing does if it can't be read.

    Args:
        path: the file.
        modules: the tree that it stands in, with the base.
        language: of the comments above what was left.
        marked: gives what else is to be said of the port.
    """
    try:
        return ported(files.read(path), modules, language, marked)
    except Unreadable as error:
        return error.unread
    except (RecursionError, MemoryError):
        return files.told(path, "too_deep")


def ported(
    file: File, modules: Modules, language: Language = "en", marked: Marked | None = None
) -> Done:
    """The same of a file as somebody holds it, whose text ``modules`` give too.

    Raises:
        Unreadable: it is no Python, or no notebook, or ``modules`` give another text.
        RecursionError, MemoryError: it is nested too deeply.
    """
    module, notebook = opening.read(file.path, modules)
    if (module if notebook is None else notebook).text != file.text:
        raise Unreadable(files.told(file.path, "changed"))
    return _Porting(file, module, notebook, language).done(marked)


class _Porting:
    """One file on its way."""

    def __init__(
        self, file: File, module: Module, notebook: Notebook | None, language: Language
    ) -> None:
        self.file, self.language, self.notebook = file, language, notebook
        self.source = module.source
        self.work = rewriter(module.text, module.table.facts, place=module)
        imports.port(self.work)

    def done(self, marked: Marked | None) -> Done:
        """All that there is to say."""
        left = [*self.left()]
        listed = [*self.listed(left)]
        changes = comments.above(self.source, self.comments(left), self.work.changes.all())
        changes = [c for c in changes if c[2] != self.source.between(c[0], c[1])]
        if changes:
            self.check(changes)
        port = self.work.port()
        left += magics.left(self.notebook) if self.notebook is not None else ()
        told = PortedFile(
            str(self.file.path),
            *self.counted(),
            len(left),
            tuple(self.edits(changes)),
            tuple(left),
            (
                *(Note(None, 0, text) for text in (marked(port) if marked else ())),
                *self.notes(),
                *listed,
                *(magics.notes(self.notebook) if self.notebook is not None else ()),
            ),
            port.records,
        )
        if self.notebook is not None:
            changes = self.notebook.rewritten(changes)
        return Done(self.file, tuple(changes), told)

    def check(self, changes: Sequence[Change]) -> None:
        """See that what is made of the code is Python, and can be written."""
        new = self.source.replaced(self.source.tree, changes)
        try:
            self.file.bytes(new)
            if not files.is_python(new):
                files.parse(self.file.path, new)
        except ValueError as error:
            raise Unreadable(files.told(self.file.path, "spoiled", str(error))) from None

    def counted(self) -> tuple[int, int]:
        """How many calls are verified, and of how many something is said."""
        work = self.work
        told = sum(
            bool(work.said.get(node)) or not OUTCOMES[target.verification].agrees
            for node, (_, target) in work.written.items()
        )
        return len(work.written) - told, told

    def left(self) -> Iterator[Left]:
        """What was left, in the order of the file."""
        for _, node, refusal in sorted(self.work.refused, key=itemgetter(0)):
            cell, line = self.place(refusal.line)
            yield Left(
                line,
                refusal.column,
                line + refusal.end_line - refusal.line,
                refusal.end_column,
                refusal.kind,
                refusal.source,
                refusal.reason,
                *self.asked(node, refusal),
                cell,
            )

    def place(self, line: int) -> tuple[int | None, int]:
        """The cell in which a line stands, and the line in it."""
        return (None, line) if self.notebook is None else self.notebook.place(line)

    def asked(self, node: ast.AST, refusal: Refusal) -> tuple[str, str]:
        """What to type to know more of a place, and the guide that its record names first."""
        name, guide = areas.asked(self.work, node, refusal)
        if name:
            return f"msmap lookup {name}", guide
        return (f"msmap guide {guide}" if guide else "msmap port --help"), guide

    def comments(self, refusals: Sequence[Left]) -> Iterator[comments.Left]:
        """What stands above what was left.

        What nobody can tell because something in it can't be told goes without saying. So does
        what may be MindSpore's by now: an earlier run said of it what there was to say.
        """
        refused = sorted(self.work.refused, key=itemgetter(0))
        spans = [self.source.span(node) for _, node, _ in refused]
        unclear = [span for span, left in zip(spans, refusals, strict=True) if _is_unclear(left)]
        for (_, node, _), span, left in zip(refused, spans, refusals, strict=True):
            if node in self.work.kept or self.may_be_ported(node, left):
                continue
            if _is_unclear(left) and any(_is_inside(other, span) for other in unclear):
                continue
            reason = left.reason.get(self.language)
            try:
                self.file.bytes(reason)
            except UnicodeEncodeError:
                encoding = self.file.encoding
                reason = left.reason.en.encode(encoding, "backslashreplace").decode(encoding)
            yield comments.Left(span[0], reason, left.command, left.guide)

    def may_be_ported(self, node: ast.AST, left: Left) -> bool:
        """Whether something may be MindSpore's by now, which an earlier run wrote."""
        use = self.work.uses.get(node)
        named = use is None or use.how in _BY_NAME
        return self.is_mixed and (_is_unclear(left) or not named)

    def listed(self, refusals: Sequence[Left]) -> Iterator[Note]:
        """What isn't ported, and gets no comment because it may be MindSpore's by now."""
        refused = sorted(self.work.refused, key=itemgetter(0))
        for (_, node, _), left in zip(refused, refusals, strict=True):
            if node not in self.work.kept and self.may_be_ported(node, left):
                text = Text(f"not ported: {left.reason.en}", f"未转写：{left.reason.zh}")
                yield Note(left.line, left.column, text, left.cell)

    @cached_property
    def is_mixed(self) -> bool:
        """Whether the code has imports of MindSpore already."""
        return earlier_runs.is_mixed(self.source)

    def notes(self) -> Iterator[Note]:
        """What is said of what was ported, each once, at the first place."""
        seen: set[Text] = set()
        for node in sorted(self.work.said, key=self.source.span):
            line, column = self.source.place(self.source.span(node)[0])
            for text in self.work.said[node]:
                if text not in seen:
                    seen.add(text)
                    cell, inner = self.place(line)
                    yield Note(inner, column, text, cell)

    def edits(self, changes: Sequence[Change]) -> Iterator[Edited]:
        """Changes as editors want them."""
        if self.notebook is None:
            place = self.source.place
            for begin, end, text in changes:
                yield Edited(*place(begin), *place(end), text)
            return
        for cell, inner in zip(self.notebook.cells, self.notebook.split(changes), strict=True):
            for begin, end, text in inner:
                yield Edited(*_place(cell.text, begin), *_place(cell.text, end), text, cell.number)


def _is_unclear(left: Left) -> bool:
    return left.kind == "possible"


def _is_inside(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def _place(text: str, offset: int) -> tuple[int, int]:
    """The line, from 1, and the column in characters of a byte of a short text."""
    *lines, last = text.encode(errors="surrogatepass")[:offset].decode().split("\n")
    return len(lines) + 1, len(last)


class Writer:
    """Puts files in place of those that were ported.

    Args:
        dirty: also where git doesn't have the file as it is, so that nobody gets it back.
    """

    def __init__(self, dirty: bool = False) -> None:
        self.dirty = dirty
        self._committed = Committed()

    def write(self, done: Done) -> PortedFile:
        """Replace a file whole or not at all; where it leads to, if it is a link.

        ``kept`` says why it stays.
        """
        try:
            kept = self._kept(done)
            if kept is None:
                _replace(done)
        except OSError as error:
            why = error.strerror or str(error)
            kept = Text(f"it can't be written: {why}", f"无法写入：{phrases.chinese(why)}")
        return replace(done.told, written=kept is None, kept=kept)

    def _kept(self, done: Done) -> Text | None:
        path = done.file.path
        if path.read_bytes() != done.file.bytes(done.file.text):
            return _CHANGED
        if not os.access(path, os.W_OK):
            return _READ_ONLY
        return _DIRTY if not self.dirty and self._committed.has(path) is False else None


def _replace(done: Done) -> None:
    path = Path(os.path.realpath(done.file.path))
    found = path.stat()
    with atomic.replacing(path) as made:
        made.write_bytes(done.file.bytes(done.text))
        with suppress(PermissionError):
            os.chown(made, found.st_uid, found.st_gid)
        made.chmod(stat.S_IMODE(found.st_mode))


_CHANGED = Text("it was changed while it was ported", "转换期间文件被改动")
_READ_ONLY = Text("it may only be read", "文件为只读")
_DIRTY = Text(
    "git doesn't have it as it is; commit it, or give --dirty",
    "该文件有未提交到 git 的改动；请先提交，或使用 --dirty",
)
