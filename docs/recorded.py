"""A session in a terminal as a picture, drawn from what the program prints.

`python docs/recorded.py` writes `docs/session.svg`; a test holds it to the program.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path

PICTURE = Path(__file__).with_name("session.svg")
SESSION = (
    "msmap port 'nn.Conv2d(3, 64, 3, padding=1)'",
    "msmap nn.Dropout",
    """msmap explain "AttributeError: 'Tensor' object has no attribute 'cuda'\"""",
    "msmap nn.Dropot",
)
COLUMNS = 80
# The picture: a cell, its margins, and the colours by the codes that the terminal gets.
_CELL, _ROW, _MARGIN, _BAR = 8.4, 19, 18, 34
_COLOURS = {
    "1": "font-weight='bold'",
    "2": "fill='#8b949e'",
    "32": "fill='#7ee787'",
    "33": "fill='#e3b341'",
    "1;31": "fill='#ff7b72' font-weight='bold'",
    "36": "fill='#79c0ff'",
}
_STYLED = re.compile("\x1b\\[([0-9;]*)m")


def printed(command: str) -> str:
    """What a command prints on a terminal of 80 columns, with styles, both streams."""
    environment = {
        name: value for name, value in os.environ.items()
        if not name.startswith(("MSMAP_", "LC_", "LANG")) and name != "NO_COLOR"
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", *shlex.split(command)[1:]],
        env=environment | {"COLUMNS": str(COLUMNS), "FORCE_COLOR": "1", "LANG": "C.UTF-8"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.stdout


def rows() -> Iterator[str]:
    """The rows of the session, with styles."""
    for number, command in enumerate(SESSION):
        if number:
            yield ""
        yield f"\x1b[32m$\x1b[0m {command}"
        yield from printed(command).splitlines()


def svg() -> str:
    """The session as SVG: text stays text, and no font is fetched."""
    drawn = list(rows())
    width = round(COLUMNS * _CELL + 2 * _MARGIN)
    height = _BAR + len(drawn) * _ROW + _MARGIN
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}'"
        f" width='{width}' height='{height}' role='img' aria-label='A session of msmap'>",
        f"<rect width='{width}' height='{height}' rx='9' fill='#0d1117'/>",
        *(f"<circle cx='{20 + 18 * n}' cy='17' r='5.5' fill='{colour}'/>"
          for n, colour in enumerate(("#ff5f56", "#ffbd2e", "#27c93f"))),
        "<g font-family='ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono,"
        " monospace' font-size='14' fill='#e6edf3' xml:space='preserve'>",
    ]  # fmt: skip
    for number, row in enumerate(drawn):
        y = _BAR + number * _ROW + 12
        lines += _texts(row, y)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _texts(row: str, y: int) -> Iterator[str]:
    """The parts of a row, each at its own place: fonts differ in how wide they are."""
    column, style = 0, ""
    for place, text in enumerate(_STYLED.split(row)):
        if place % 2:
            style = text if text != "0" else ""
            continue
        shown = text.strip(" ")
        if shown:
            x = _MARGIN + (column + len(text) - len(text.lstrip(" "))) * _CELL
            look = f" {_COLOURS[style]}" if style else ""
            length = round(len(shown) * _CELL, 1)
            yield (
                f"<text x='{x:.1f}' y='{y}' textLength='{length}' lengthAdjust='spacingAndGlyphs'"
                f"{look}>{escape(shown, quote=False)}</text>"
            )
        column += len(text)


if __name__ == "__main__":
    PICTURE.write_text(svg(), encoding="utf-8")
