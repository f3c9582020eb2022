"""What is printed on a terminal: styled, and wrapped to its width.

Lines are wrapped here, and rich shows Markdown alone: importing it takes as long as three lookups.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

from msmap.render.layout import BAD, BOLD, CODE, DIM, GOOD, WARN, Line, Markup, Piece, cells

# Parts with their styles.
Parts = list[tuple[str, str]]

_CODES = {BOLD: "1", DIM: "2", GOOD: "32", WARN: "33", BAD: "1;31", CODE: "36"}
_WORDS = re.compile(r"\s+|\S+")


def show(pieces: Iterable[Piece]) -> None:
    """Print lines with their styles; texts that are complete stay as they are."""
    if os.name == "nt":
        # A console of Windows takes styles only after a command ran in it.
        os.system("")
    width, styled = _width(), not os.environ.get("NO_COLOR")
    for item in pieces:
        if isinstance(item, Markup):
            from rich.console import Console
            from rich.markdown import Markdown

            sys.stdout.flush()
            Console(highlight=False).print(Markdown(item))
        elif isinstance(item, str):
            sys.stdout.write(item)
        else:
            for parts in wrapped(item, width):
                sys.stdout.write(_drawn(parts, styled) + "\n")


# By what a line of a diff begins with.
_DIFF = {"---": BOLD, "+++": BOLD, "@": CODE, "-": BAD, "+": GOOD}
# What would give a terminal orders.
_ORDERS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def diff(lines: Iterable[str]) -> None:
    """Print the lines of a diff with their styles, unwrapped."""
    styled = not os.environ.get("NO_COLOR")
    for number, text in enumerate(lines):
        first = text[: 3 if number < 2 else 1]
        shown = _ORDERS.sub(lambda m: f"\\x{ord(m.group()):02x}", text.removesuffix("\n"))
        sys.stdout.write(_drawn([(shown, _DIFF.get(first, ""))], styled) + "\n")


def _width() -> int:
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted):
        return int(wanted)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def wrapped(line: Line, width: int) -> Iterator[Parts]:
    """A line as lines of so many cells: broken between words, and within those that are longer.

    What is broken off stands under its own start.
    """
    room = max(width - line.indent, 1)
    row: Parts = []
    taken = 0
    for word, style in ((w, s) for text, s in line.parts for w in _WORDS.findall(text)):
        rest, size = word, cells(word)
        if taken + size > room and word.isspace():
            # The end of a line; what follows goes to the next.
            taken = room
            continue
        if taken + size > room and taken:
            yield _indented(row, line.indent)
            row, taken = [], 0
        while size > room and len(rest) > 1:
            head = _fitting(rest, room)
            yield _indented([(head, style)], line.indent)
            rest = rest[len(head) :]
            size = cells(rest)
        row.append((rest, style))
        taken += size
    yield _indented(row, line.indent)


def _fitting(text: str, room: int) -> str:
    """The start of a word that fits, one character at least."""
    end, size = 0, 0
    while end < len(text) and (size := size + cells(text[end])) <= room:
        end += 1
    return text[: max(end, 1)]


def _indented(parts: Parts, indent: int) -> Parts:
    """The parts behind the indent, without spaces at the end."""
    while parts and not parts[-1][0].strip():
        parts = parts[:-1]
    return [(" " * indent, ""), *parts] if parts and indent else parts


def _drawn(parts: Parts, styled: bool) -> str:
    drawn = ""
    for style, words in groupby(parts, itemgetter(1)):
        text = "".join(word for word, _ in words)
        drawn += f"\x1b[{_CODES[style]}m{text}\x1b[0m" if styled and style else text
    return drawn
