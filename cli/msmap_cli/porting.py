"""Files ported: shown as diffs or written, and what there is to know of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from msmap.messages import Message
from msmap.model import Unread
from msmap.port.project import Done, Writer
from msmap.ported import Note, PortedFile
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers
from msmap.query.projects import port as projects
from msmap.render import View, diff, text
from msmap_cli import settings
from msmap_cli.options import Format
from msmap_cli.output import Leave, progress, say, tell


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks of files."""

    paths: tuple[str, ...]
    probed: bool
    diff: bool
    write: bool
    dirty: bool
    exclude: tuple[str, ...]
    jobs: int | None
    cached: bool
    scheduler: str | None = None


def run(
    kb: KnowledgeBase, asked: Asked, form: Format, view: View, fields: str | None = None
) -> None:
    """Port files; leave with status 1 or 2 where not all of them are."""
    shows = form == "text" and (asked.diff or not asked.write)
    writer = Writer(asked.dirty) if asked.write else None
    files: list[PortedFile] = []
    unread: list[Unread] = []
    lang = view.language
    for done in projects.port(
        kb,
        asked.paths,
        "zh" if lang == "zh" else "en",
        asked.probed,
        asked.exclude,
        asked.jobs,
        asked.cached,
        lambda number, all_: progress(Message("{} of {} files", number, all_)),
        asked.scheduler,
    ):
        progress("")
        if isinstance(done, Unread):
            unread.append(done)
            say(Message("{}: {}", _place(done.path, done.line), done.reason.get(lang)))
            continue
        if shows:
            _show(done)
        files.append(writer.write(done) if writer and done.changes else done.told)
        if form == "text":
            _tell(files[-1], lang)
    answer = answers.PortedFiles(tuple(files), tuple(unread))
    if shows:
        sys.stdout.flush()
        for piece in text.tell(answer, view):
            say((piece if isinstance(piece, str) else piece.text).removesuffix("\n"))
    else:
        tell(answer, form, view, fields)
    if not files:
        raise Leave(2)
    if unread or any(file.left or file.kept for file in files):
        raise Leave(1)


def _place(path: str, line: int | None, cell: int | None = None, column: int | None = None) -> str:
    parts = [path, None if cell is None else f"cell {cell}", line]
    parts.append(None if column is None else column + 1)
    return ":".join(str(part) for part in parts if part is not None)


def _tell(file: PortedFile, lang: str) -> None:
    """What to know of what was ported."""
    for note in file.notes:
        say(Message("{}: note: {}", _noted(file, note), note.text.get(lang)))


def _noted(file: PortedFile, note: Note) -> str:
    return _place(file.path, note.line, note.cell, None if note.line is None else note.column)


def _show(done: Done) -> None:
    """The diff of a file: as bytes of its own encoding into a pipe, with colours on a terminal."""
    lines = list(diff.unified(_relative(done.file.path), done.file.text, done.changes))
    if settings.drawn():
        from msmap_cli import terminal

        terminal.diff(lines)
        return
    sys.stdout.flush()
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:
        sys.stdout.write("".join(lines))
        return
    buffer.write(_encoded(lines, done.file.encoding))
    buffer.flush()


def _encoded(lines: Iterable[str], encoding: str) -> bytes:
    errors = "surrogatepass" if encoding == "utf-8" else "strict"
    return b"".join(
        os.fsencode(line) if number < 2 else line.encode(encoding, errors)
        for number, line in enumerate(lines)
    )


def _relative(path: Path) -> str:
    """The name of a file as seen from here, and from the top where it isn't below."""
    whole, here = path.absolute(), Path.cwd()
    below = whole.relative_to(here) if whole.is_relative_to(here) else whole
    return Path(os.path.normpath(below)).as_posix().lstrip("/")
