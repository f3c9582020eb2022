"""What is printed on a terminal: styled, and wrapped to its width.

Lines are wrapped here as they are stored, and rich shows Markdown alone: importing it takes as long
as three lookups, and what a stored page needs must take next to nothing.
"""

from __future__ import annotations

import os
import sys
from itertools import groupby
from operator import itemgetter

from msmap.database import HANG, MARKS, WHOLE
from msmap.width import cells
from msmap_cli import settings

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO

    from msmap.render.layout import Piece

# Parts with the codes of their styles.
Parts = list[tuple[str, str]]

# What gives each style, in the order of the marks.
_CODES = dict(zip(MARKS, ("", "1", "2", "32", "33", "1;31", "36"), strict=True))
_BOLD, _GOOD, _BAD, _CODE = "1", "32", "1;31", "36"


def show(pieces: Iterable[Piece]) -> None:
    """Print lines with their styles; texts that are complete stay as they are."""
    from msmap.render.layout import Line, Markup, marked

    width = _width()
    printed: list[str] = []
    for item in pieces:
        if isinstance(item, Line):
            printed += _rows(marked(item), width)
        else:
            printed.append(_rich(item, width) if isinstance(item, Markup) else item)
    put("".join(printed))


def page(stored: str) -> None:
    """Print a page as it is stored."""
    width = _width()
    put("".join(row for line in stored.split("\n")[:-1] for row in _rows(line, width)))


def folded(message: str) -> str:
    """A message for standard error, broken between words; what is broken off is indented."""
    width = _width(sys.stderr)
    return "".join(
        "".join(text for text, _ in row) + "\n"
        for line in message.removesuffix("\n").split("\n")
        for row in wrapped(f"{_indent(line)}{HANG * 2}{MARKS[0]}{line.lstrip(' ')}", width)
    )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def put(text: str) -> None:
    """Print what is made for a terminal; by the reader's pager if it is longer than the screen."""
    if os.name == "nt":
        # A console of Windows takes styles only after a command ran in it.
        os.system("")
    command = settings.pager()
    if command and text.count("\n") >= _height():
        from msmap_cli import paging

        if paging.page(text, command):
            return
    sys.stdout.write(text)


def _rich(text: str, width: int) -> str:
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown

    drawn = StringIO()
    styled = settings.styled()
    Console(file=drawn, width=width, force_terminal=styled, highlight=False).print(Markdown(text))
    return drawn.getvalue()


# By what a line of a diff begins with.
_DIFF = {"---": _BOLD, "+++": _BOLD, "@": _CODE, "-": _BAD, "+": _GOOD}


def diff(lines: Iterable[str]) -> None:
    """Print the lines of a diff with their styles, unwrapped."""
    styled = settings.styled()
    printed: list[str] = []
    for number, text in enumerate(lines):
        first = text[: 3 if number < 2 else 1]
        shown = harmless(text.removesuffix("\n"))
        printed.append(_drawn([(shown, _DIFF.get(first, ""))], styled) + "\n")
    put("".join(printed))


def harmless(text: str) -> str:
    """A text in which what would give a terminal orders is written out."""
    if text.isprintable():
        return text
    return "".join(f"\\x{ord(c):02x}" if _orders(c) else c for c in text)


def _orders(character: str) -> bool:
    return (character < " " and character not in "\t\n") or "\x7f" <= character <= "\x9f"


def _width(stream: IO[str] | None = None) -> int:
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    if not settings.on_terminal(stream):
        # Only styles were asked for.
        return _ENDLESS
    return _size(0, stream) or 80


def _height() -> int:
    wanted = os.environ.get("LINES", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    return _size(1) or 24


_ENDLESS = 1 << 30


def _size(which: int, stream: IO[str] | None = None) -> int:
    """The columns (0) or the rows (1) of the terminal, 0 if it doesn't tell."""
    try:
        return os.get_terminal_size((stream or sys.stdout).fileno())[which]
    except (OSError, ValueError):
        return 0


def _rows(stored: str, width: int) -> Iterator[str]:
    styled = settings.styled()
    return (_drawn(parts, styled) + "\n" for parts in wrapped(stored, width))


def wrapped(stored: str, width: int) -> Iterator[Parts]:
    """A line, as it is stored, as rows of so many cells.

    It is broken between words, and within those that are longer; of a whole line between its
    parts as far as that will do. What is broken off stands under its own start and as much further
    in as the line says, if enough of the width is left then.
    """
    text = stored.lstrip(" ")
    indent = len(stored) - len(text)
    hang = text.count(HANG)
    if indent + hang > width * 3 // 5:
        hang = min(hang, 4) if indent < width // 2 else 0
    parts = _parts(text)
    if WHOLE in text:
        parts = _fitted(parts, width - indent, hang)
        room = width - indent - hang
        units = [
            (unit, style)
            for text, style in parts
            for unit in ([text] if _stays(text, room) else _words(text))
            if unit
        ]
    else:
        units = [(word, style) for text, style in parts for word in _words(text)]
    return _broken(units, width, indent, hang)


def _stays(text: str, room: int) -> bool:
    """Whether a part of a whole line is kept as it is: what fits, and goes not on with another."""
    return cells(text.rstrip()) <= room and text[:1] not in _CLOSING


def _broken(units: Parts, width: int, indent: int, hang: int) -> Iterator[Parts]:
    """Units that aren't to be broken as rows."""
    row: Parts = []
    start, taken, broken = indent, 0, False
    for unit, style in units:
        word = unit
        room = max(width - start, 1)
        size = cells(word.rstrip())
        if taken + size > room and taken:
            yield _indented(row, start)
            row, taken, start, broken = [], 0, indent + hang, True
            room = max(width - start, 1)
            word = word if word.isspace() else word.lstrip(" ")
            size = cells(word.rstrip())
        while size > room and len(word.rstrip()) > 1:
            head, word = _head(word, room)
            yield _indented([(head, style)], start)
            start, broken = indent + hang, True
            room, size = max(width - start, 1), cells(word.rstrip())
        if broken and not row and word.isspace():
            continue
        row.append((word, style))
        taken += cells(word)
    yield _indented(row, start)


def _parts(text: str) -> Parts:
    """The parts of a stored line with the codes of their styles."""
    found: Parts = []
    begin, style = 0, ""
    for place, character in enumerate(text):
        code = _CODES.get(character)
        if code is None:
            continue
        found.append((text[begin:place], style))
        begin, style = place + 1, code
    found.append((text[begin:], style))
    return found[1:]


def _fitted(parts: Parts, room: int, hang: int) -> Parts:
    """Parts without what only lines them up with those of other lines, if they don't fit so.

    A first part that the others hang behind keeps it.
    """
    if cells("".join(text for text, _ in parts).rstrip()) <= room:
        return parts
    kept = parts[: cells(parts[0][0]) == hang]
    return kept + [
        (f"{text.rstrip()}  " if text[-2:] == "  " else text, style)
        for text, style in parts[len(kept) :]
    ]


def _words(text: str) -> Iterator[str]:
    """Words and what stands between them; Chinese breaks after any character but for marks."""
    for number, solid in enumerate(text.split(" ")):
        if number:
            yield " "
        if solid.isascii():
            yield solid
        else:
            yield from _characters(solid)


def _characters(solid: str) -> Iterator[str]:
    word = ""
    for character in solid:
        if word and _breaks(word[-1], character):
            yield word
            word = ""
        word += character
    yield word


# What no row begins with, and what none ends with.
_CLOSING, _OPENING = "，。、；：？！）》”’」】),.:;", "（《“‘「【("


def _breaks(before: str, after: str) -> bool:
    """Whether a row may end between two characters: beside one that takes two cells."""
    if before < "\u2e80" and after < "\u2e80":
        return False
    wide = cells(before) == 2 or cells(after) == 2
    return wide and after not in _CLOSING and before not in _OPENING


def _head(text: str, room: int) -> tuple[str, str]:
    """The start of a word that fits, one character at least, and the rest."""
    end, size = 0, 0
    while end < len(text) and (size := size + cells(text[end])) <= room:
        end += 1
    end = max(end, 1)
    cut = max(text.rfind(mark, 1, end) for mark in ",(=|")
    # A long call is broken behind a comma rather than in a name.
    end = cut + 1 if cut > end // 2 else end
    return text[:end], text[end:]


def _indented(parts: Parts, indent: int) -> Parts:
    """The parts behind the indent, without spaces at the end."""
    while parts and not parts[-1][0].strip():
        parts = parts[:-1]
    if parts:
        parts = [*parts[:-1], (parts[-1][0].rstrip(), parts[-1][1])]
    return [(" " * indent, ""), *parts] if parts and indent else parts


def _drawn(parts: Parts, styled: bool) -> str:
    drawn = ""
    for style, words in groupby(parts, itemgetter(1)):
        text = "".join([word for word, _ in words])
        drawn += f"\x1b[{style}m{text}\x1b[0m" if styled and style else text
    return drawn
