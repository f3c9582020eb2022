"""Lines of text with styles, and columns that line up in a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from msmap.database import HANG, MARKS, WHOLE
from msmap.width import cells

BOLD, DIM, GOOD, WARN, BAD, CODE = "bold", "dim", "green", "yellow", "bold red", "cyan"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text: parts with styles, indented; long ones wrap under their own start.

    What is broken off stands ``hang`` cells further in; of a ``whole`` line no part is broken that
    fits on a row.
    """

    parts: tuple[tuple[str, str], ...]
    indent: int = 0
    hang: int = 0
    whole: bool = False

    @property
    def text(self) -> str:
        """The line without styles."""
        return (" " * self.indent + "".join(text for text, _ in self.parts)).rstrip()


@dataclass(frozen=True, slots=True)
class Row(Line):
    """A line of a table: columns that line up on a terminal, tabs between them in a pipe."""

    @property
    def text(self) -> str:
        """The cells without styles and padding."""
        return "\t".join(text.strip() for text, _ in self.parts)


# The mark that a part of a stored line begins with tells its style.
_MARKED = dict(zip(("", BOLD, DIM, GOOD, WARN, BAD, CODE), MARKS, strict=True))
_STYLES = {mark: style for style, mark in _MARKED.items()}
_PARTS = re.compile(f"([{MARKS}])([^{MARKS}]*)")


def marked(found: Line) -> str:
    """A line as it is stored: how it stands, then its parts, each after the mark of its style."""
    stands = " " * found.indent + HANG * found.hang + WHOLE * found.whole
    return stands + "".join([_MARKED[style] + text for text, style in found.parts])


def unmarked(stored: str) -> Line:
    """The line that is stored so."""
    parts = tuple((text, _STYLES[mark]) for mark, text in _PARTS.findall(stored))
    indent = len(stored) - len(stored.lstrip(" "))
    return Line(parts, indent, stored.count(HANG), WHOLE in stored)


class Markup(str):
    """Markdown, which a terminal may show with styles."""


# A line, wrapped and styled where it is read, or a text that is printed as it stands.
Piece: TypeAlias = Line | str


def line(
    *parts: str | tuple[str, str], indent: int = 0, hang: int = 0, whole: bool = False
) -> Line:
    """A line made of texts and (text, style) pairs."""
    styled = tuple([(p, "") if isinstance(p, str) else p for p in parts])
    return Line(styled, indent, hang, whole)


def table(rows: Sequence[Sequence[str]], widest: int) -> list[Line]:
    """Rows as lines; no column takes more than ``widest`` cells of a terminal for its own.

    What a terminal has no room for stands below, behind the first column.
    """
    widths = [min(width, widest) + 2 for width in columns(rows)]
    return [
        Row(
            # What is wider than its column ends in a gap all the same.
            tuple((pad(f"{cell}  ", width), "") for cell, width in zip(row, widths, strict=True)),
            hang=widths[0],
            whole=True,
        )
        for row in rows
    ]


def columns(rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column, in terminal cells."""
    return [max(map(cells, column)) for column in zip(*rows, strict=True)] if rows else []


def pad(text: str, width: int) -> str:
    """The text filled with spaces to a width in terminal cells."""
    return text + " " * (width - cells(text))
