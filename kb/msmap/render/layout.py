"""Lines of text with styles, and columns that line up in a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

BOLD, DIM, GOOD, WARN, BAD, CODE = "bold", "dim", "green", "yellow", "bold red", "cyan"


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


def columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column, in terminal cells."""
    return [max(map(cells, column)) for column in zip(*rows, strict=True)] if rows else []


def pad(text: str, width: int) -> str:
    """The text filled with spaces to a width in terminal cells."""
    return text + " " * (width - cells(text))


def cells(text: str) -> int:
    """How many terminal cells a text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
