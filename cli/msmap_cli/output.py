"""How the command line speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

BOLD, DIM, GOOD, WARN, BAD, CODE = "bold", "dim", "green", "yellow", "bold red", "cyan"


class Leave(Exception):
    """Leave with an exit status after a message was said."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text: parts with styles, indented; long ones wrap under their own start."""

    parts: tuple[tuple[str, str], ...]
    indent: int = 0

    @property
    def text(self) -> str:
        """The line without styles."""
        return (" " * self.indent + "".join(text for text, _ in self.parts)).rstrip()


def line(*parts: str | tuple[str, str], indent: int = 0) -> Line:
    """A line made of texts and (text, style) pairs."""
    return Line(tuple((p, "") if isinstance(p, str) else p for p in parts), indent)


def show(lines: Iterable[Line]) -> None:
    """Print lines: styled and wrapped on a terminal, plain and unwrapped into a pipe."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        sys.stdout.write("".join(f"{item.text}\n" for item in lines))
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    for item in lines:
        console.print(Padding(Text.assemble(*item.parts), (0, 0, 0, item.indent), expand=False))


def emit(data: dict[str, Any], form: str) -> None:
    """Print data as JSON or YAML."""
    if form == "yaml":
        import yaml

        text = yaml.safe_dump(_listed(data), allow_unicode=True, sort_keys=False, width=100)
        sys.stdout.write(text)
        return
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def _listed(value: Any) -> Any:
    """Tuples as lists: YAML's plain form has none."""
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_listed(item) for item in value]
    return value


def columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column, in terminal cells."""
    return [max(map(cells, column)) for column in zip(*rows, strict=True)] if rows else []


def pad(text: str, width: int) -> str:
    """The text filled with spaces to a width in terminal cells."""
    return text + " " * (width - cells(text))


def cells(text: str) -> int:
    """How many terminal cells a text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def say(message: str) -> None:
    """A message on standard error."""
    sys.stderr.write(message + "\n")


def fail(message: str, status: int) -> NoReturn:
    """Say what went wrong and leave with an exit status."""
    say(f"msmap: {message}")
    raise Leave(status)


def progress(text: str) -> None:
    """One line that replaces itself, on a terminal only; an empty text clears it."""
    if not sys.stderr.isatty():
        return
    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write("\r\x1b[2K" + text[:width])
    sys.stderr.flush()
