"""Places in a text as editors count them: lines from 0, columns in units of an encoding."""

from __future__ import annotations

import re
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_BREAKS = re.compile("\r\n|\r|\n")


class Lines:
    """A text by its lines; places of msmap's are lines from 1 and columns in characters.

    Args:
        text: the text.
        encoding: in whose units the editor counts columns.
    """

    def __init__(self, text: str, encoding: Encoding = "utf-16") -> None:
        self.all = _BREAKS.split(text)
        self.encoding = encoding
        self._plain = encoding == "utf-32" or text.isascii()

    def units(self, line: int, column: int) -> tuple[int, int]:
        """An editor's line and column of a place of msmap's; beyond the text is its end."""
        if line > len(self.all):
            return len(self.all) - 1, self._count(self.all[-1])
        return line - 1, column if self._plain else self._count(self.all[line - 1][:column])

    def place(self, line: int, units: int) -> tuple[int, int]:
        """The place of an editor's line and column; beyond a line is its end."""
        if line >= len(self.all):
            return len(self.all), len(self.all[-1])
        text = self.all[line]
        if self._plain:
            return line + 1, min(units, len(text))
        column = 0
        while column < len(text) and units > 0:
            units -= self._count(text[column])
            column += 1
        return line + 1, column

    def _count(self, text: str) -> int:
        if self._plain:
            return len(text)
        width = 2 if self.encoding == "utf-16" else 1
        name = "utf-16-le" if self.encoding == "utf-16" else "utf-8"
        return len(text.encode(name, "surrogatepass")) // width
