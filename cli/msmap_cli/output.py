"""How the command line speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NoReturn

from msmap.messages import Message
from msmap_cli import settings

if TYPE_CHECKING:
    from pathlib import Path

    from msmap.render import View
    from msmap.render.layout import Piece


class Leave(Exception):
    """Leave with an exit status after a message was said."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def tell(answer: object, form: str, view: View, chosen: str | None = None) -> None:
    """Print an answer: as data, or as a module of ``msmap.render`` tells it.

    Args:
        answer: the answer.
        form: a word of ``options.Format``.
        view: how to tell it; data has evidence if it is full.
        chosen: the fields, between commas, that are printed as JSON; all if None.
    """
    if form in _DUMPED or chosen is not None:
        from msmap.query.names import answers

        data = answers.plain(answer)
        if chosen is not None:
            emit_fields(data, chosen, type(answer).__name__ == "Guide")
        else:
            from msmap.query.base import fields

            emit(data if view.full else fields.light(data), form)
        return
    from msmap import render

    show(render.tell(answer, form, view))


def write(path: Path, answer: object, form: str, view: View, chosen: str | None = None) -> None:
    """Write an answer to a file, whole or not at all; arguments as of ``tell``."""
    from contextlib import redirect_stdout
    from io import StringIO

    from msmap import atomic

    made = StringIO()
    with redirect_stdout(made):
        tell(answer, form, view, chosen)
    atomic.write(path, made.getvalue())
    report(str(path))


def emit(data: Any, form: str) -> None:
    """Print data as JSON or YAML."""
    show([_DUMPED[form](data, _speaks_unicode())])


def emit_fields(data: dict[str, Any], chosen: str, one: bool = False) -> None:
    """Print some fields of an answer as JSON; leave with status 2 if it has one of them not."""
    from msmap.query.base import fields

    # None at all is told what there are.
    names = [name.strip() for name in chosen.split(",") if name.strip()] or [""]
    try:
        emit(fields.chosen(data, names, one), "json")
    except fields.UnknownField as error:
        from msmap_cli.speech import said

        fail(said('--json "{}": one of {}', error.name, ", ".join(error.known)), 2)


def show(pieces: Iterable[Piece]) -> None:
    """Print lines: styled and wrapped on a terminal, plain and unwrapped into a pipe."""
    if not settings.drawn():
        texts = (item if isinstance(item, str) else f"{item.text}\n" for item in pieces)
        # Even nothing, once written, is an error on a full disk.
        if text := "".join(texts):
            sys.stdout.write(text)
        return
    from msmap_cli import terminal

    terminal.show(pieces)


def _json(data: Any, unicode: bool) -> str:
    import json

    return json.dumps(data, ensure_ascii=not unicode, indent=2) + "\n"


def _yaml(data: Any, unicode: bool) -> str:
    import yaml

    text: str = yaml.safe_dump(_listed(data), allow_unicode=unicode, sort_keys=False, width=100)
    return text


_DUMPED = {"json": _json, "yaml": _yaml}


def _speaks_unicode() -> bool:
    """Whether standard output takes every character as it is; escapes that it makes aren't JSON."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return encoding.lower().replace("-", "").startswith("utf")


def _listed(value: Any) -> Any:
    """Tuples as lists: YAML's plain form has none."""
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_listed(item) for item in value]
    return value


def say(message: str) -> None:
    """A message on standard error; where that can't be written, the exit status must do."""
    from msmap_cli.speech import spoken

    write_error(spoken(message))


def report(message: str) -> None:
    """A message on standard error, with the name of the program before it."""
    from msmap_cli.speech import spoken

    write_error(f"msmap: {spoken(message)}")


def write_error(text: str) -> None:
    """A text on standard error that is in the reader's language already."""
    text = f"{text}\n"
    if settings.drawn(sys.stderr):
        from msmap_cli import terminal

        text = terminal.folded(text)
    with suppress(OSError):
        sys.stderr.write(text)
        sys.stderr.flush()


def reason(error: OSError) -> Message:
    """Why a file could not be read or written, which file, and what to do."""
    import errno

    name = error.filename or Message("standard output")
    said = Message("{}: {}", name, error.strerror or error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        said = Message("{}; free some space there", said)
    return said


def fail(message: str, status: int) -> NoReturn:
    """Say what went wrong and leave with an exit status."""
    report(message)
    raise Leave(status)


def progress(text: str) -> None:
    """One line that replaces itself, on a terminal only; an empty text clears it."""
    if not sys.stderr.isatty():
        return
    import shutil

    from msmap_cli.speech import spoken

    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write("\r\x1b[2K" + spoken(text)[:width])
    sys.stderr.flush()
