"""Notebooks as the Python that stands in their cells, and changes of it put back into the file.

The file stays as it is written but for the lines that change: indents, the order of keys, escapes,
outputs.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from msmap import phrases
from msmap.code.source import Change
from msmap.model import Text

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)
# Magics of a cell below which Python stands.
_OF_PYTHON = re.compile(r"\s*%%(?:time|timeit|capture|prun)\b")
_MAGIC = re.compile(r"""\s*[%!?]|[^#"']*\?\s*$|(?P<left>\s*[\w.,\s]+=\s*)[!%]""")


class NoNotebook(ValueError):
    """A text is no notebook with Python in it; ``reason`` says why."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en)
        self.reason = Text(en, zh)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of code: its place among all cells, its text, and where it stands in the file.

    ``strings`` are the spans of the strings of which the text is made, in characters with their
    quotes; ``span`` is that of the list that holds them, or of the only one.
    """

    number: int
    text: str
    span: tuple[int, int]
    strings: tuple[tuple[int, int], ...]
    listed: bool


@dataclass(frozen=True, slots=True)
class Notebook:
    """The cells of code of a notebook; ``code`` is the Python of all of them in order.

    What isn't Python is there as a number and a comment, byte for byte as long: magics, commands
    of the shell, cells in other languages, and those that don't parse, whose numbers and errors
    are ``broken``.
    """

    text: str
    cells: tuple[Cell, ...]
    code: str
    broken: tuple[tuple[int, SyntaxError], ...]
    starts: tuple[int, ...]

    def place(self, line: int) -> tuple[int, int]:
        """The number of the cell in which a line of the code stands, and the line in it."""
        firsts = list(accumulate((_ended(c.text).count("\n") for c in self.cells), initial=1))
        at = min(bisect_right(firsts, line), len(self.cells)) - 1
        return self.cells[at].number, line - firsts[at] + 1

    def hidden(self) -> Iterator[tuple[int, int, str, str]]:
        """The lines that aren't Python: number of the cell, line in it, text, first of the cell."""
        for cell in self.cells:
            lines = cell.text.split("\n")
            first = next((line for line in lines if line.strip()), "")
            made = _code(cell.text)[0].split("\n")
            for number, (old, new) in enumerate(zip(lines, made, strict=True), 1):
                if old != new:
                    yield cell.number, number, old, first

    def split(self, changes: Sequence[Change]) -> list[list[Change]]:
        """Changes of the code as changes of the cells, in bytes of each.

        What goes over several cells is put into the first of them.
        """
        found: list[list[Change]] = [[] for _ in self.cells]
        for begin, end, text in changes:
            first = at = max(bisect_right(self.starts, begin) - 1, 0)
            while at == first or (at < len(self.cells) and self.starts[at] < end):
                start, size = self.starts[at], len(_bytes(self.cells[at].text))
                low, high = max(begin - start, 0), min(end - start, size)
                new = text if at == first else ""
                if low < high or new:
                    found[at].append((min(low, size), high, new))
                at += 1
        return found

    def rewritten(self, changes: Sequence[Change]) -> list[Change]:
        """Changes of the code as changes of the file, in bytes of its text as UTF-8."""
        found = []
        for cell, inner in zip(self.cells, self.split(changes), strict=True):
            if inner:
                begin, end = (len(_bytes(self.text[:place])) for place in cell.span)
                found.append((begin, end, self._source(cell, made(cell.text, inner))))
        return found

    def _source(self, cell: Cell, text: str) -> str:
        """A new text of a cell as JSON, written as the old one was: its lines where they are."""
        old = [self.text[begin:end] for begin, end in cell.strings]
        if not cell.listed:
            return self._string(text)
        known = {json.loads(token): token for token in reversed(old)}
        new = [known.get(line) or self._string(line) for line in _lines(text)]
        first, last = cell.span[0] + 1, cell.span[1] - 1
        if not old:
            return f"[{', '.join(new)}]"
        before = self.text[first : cell.strings[0][0]]
        between = f",{before or ' '}"
        if len(old) > 1:
            between = self.text[cell.strings[0][1] : cell.strings[1][0]]
        return f"[{before}{between.join(new)}{self.text[cell.strings[-1][1] : last]}]"

    def _string(self, text: str) -> str:
        """A text as JSON, with escapes where the file has them."""
        escaped = self.text.isascii() and re.search(r"\\u[0-9a-fA-F]{4}", self.text) is not None
        return json.dumps(text, ensure_ascii=escaped)


def read(text: str) -> Notebook:
    """The Python of a notebook.

    Raises:
        NoNotebook: it is no JSON, of an older format, or in another language.
    """
    start = len(text) - len(text.removeprefix("\ufeff"))
    try:
        content = json.loads(text[start:])
    except (ValueError, RecursionError) as error:
        why = str(error)
        raise NoNotebook(f"it isn't JSON: {why}", f"不是 JSON：{phrases.chinese(why)}") from None
    if not isinstance(content, dict) or not isinstance(content.get("cells"), list):
        raise NoNotebook(
            "it has no cells; of an older format, `jupyter nbconvert` makes a newer",
            "其中没有单元格；旧格式可用 `jupyter nbconvert` 转换",
        )
    language = _language(content)
    if language != "python":
        raise NoNotebook(f"its language is {language}", f"其语言是 {language}")
    cells: list[Cell] = []
    spans = _spans(text, start)
    for number, cell in enumerate(content["cells"]):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source, place = cell.get("source"), spans.get(number)
        parts: list[Any] = source if isinstance(source, list) else [source]
        if place is None or not all(isinstance(part, str) for part in parts):
            raise NoNotebook(f"cell {number} has no text", f"第 {number} 个单元格没有文本")
        cells.append(Cell(number, "".join(parts), *place, isinstance(source, list)))
    codes = [_code(cell.text) for cell in cells]
    code = "".join(_ended(made) for made, _ in codes)
    broken = [(cells[at].number, error) for at, (_, error) in enumerate(codes) if error]
    sizes = (len(_bytes(_ended(made))) for made, _ in codes)
    starts = list(accumulate(sizes, initial=0))[:-1]
    return Notebook(text, tuple(cells), code, tuple(broken), tuple(starts))


def _language(content: dict[str, Any]) -> str:
    """The language of a notebook, in small letters; Python where nothing says."""
    about = content.get("metadata")
    about = about if isinstance(about, dict) else {}
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        told = about.get(key)
        if isinstance(told, dict) and isinstance(told.get(name), str):
            found = str(told[name]).lower()
            return "python" if found in ("ipython", "python3") else found
    return "python"


def _spans(text: str, start: int) -> dict[int, tuple[tuple[int, int], tuple[tuple[int, int], ...]]]:
    """Where the source of each cell stands, and the strings in it."""
    found: dict[int, tuple[tuple[int, int], tuple[tuple[int, int], ...]]] = {}
    for path, begin, end, strings in _values(text, start):
        if len(path) == 3 and path[0] == "cells" and path[2] == "source":
            found[int(path[1])] = ((begin, end), strings)
    return found


def _values(
    text: str, start: int
) -> Iterator[tuple[tuple[str | int, ...], int, int, tuple[tuple[int, int], ...]]]:
    """Each value of a JSON text with its path and its span, and the strings directly in it."""
    path: list[str | int] = []
    opened: list[tuple[int, list[tuple[int, int]]]] = []
    key = False
    for match in _TOKEN.finditer(text, start):
        token = match.group()
        if token in ("{", "["):
            opened.append((match.start(), []))
            path.append("" if token == "{" else 0)
            key = token == "{"
        elif token in ("}", "]"):
            path.pop()
            begin, strings = opened.pop()
            yield tuple(path), begin, match.end(), tuple(strings)
            key = False
        elif token == ",":
            last = path[-1]
            key = isinstance(last, str)
            if isinstance(last, int):
                path[-1] = last + 1
        elif token == ":":
            key = False
        elif key:
            path[-1] = json.loads(token)
        elif token.startswith('"'):
            if opened:
                opened[-1][1].append(match.span())
            yield tuple(path), *match.span(), (match.span(),)


def _lines(text: str) -> list[str]:
    """Lines with their breaks, as notebooks keep them."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _bytes(text: str) -> bytes:
    """A text in bytes; JSON may hold halves of characters."""
    return text.encode(errors="surrogatepass")


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def made(text: str, changes: Sequence[Change]) -> str:
    """A text with changes by byte made in it."""
    content = _bytes(text)
    pieces, place = [], 0
    for begin, end, new in changes:
        pieces += [content[place:begin], new.encode()]
        place = end
    return b"".join([*pieces, content[place:]]).decode(errors="surrogatepass")


def _code(text: str) -> tuple[str, SyntaxError | None]:
    """The text of a cell with what isn't Python masked, and why it is no Python at all."""
    lines = _lines(text)
    first = next((line for line in lines if line.strip()), "")
    if first.lstrip().startswith("%%"):
        if not _OF_PYTHON.match(first):
            return _masked(lines, range(len(lines))), None
        lines[lines.index(first)] = _hidden(first)
    while True:
        error = _error("".join(lines))
        if error is None:
            return "".join(lines), None
        at = min(error.lineno or 1, len(lines)) - 1
        # What is wrong with a line may be seen below it only.
        bad = next((n for n in range(at, -1, -1) if _MAGIC.match(lines[n])), None)
        if bad is None:
            return _masked(_lines(text), range(len(lines))), error
        goes_on = lines[bad].rstrip().endswith("\\")
        lines[bad] = _hidden(lines[bad])
        while goes_on and (bad := bad + 1) < len(lines):
            goes_on = lines[bad].rstrip().endswith("\\")
            lines[bad] = _hidden(lines[bad], "#")


def _error(code: str) -> SyntaxError | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(code)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError) as error:
            return SyntaxError(str(error) or "nested too deeply")
    return None


def _masked(lines: Sequence[str], which: Sequence[int]) -> str:
    """Lines of which some are hidden as comments."""
    return "".join(
        _hidden(line, "#") if number in which else line for number, line in enumerate(lines)
    )


def _hidden(line: str, first: str = "0") -> str:
    """A line as a number and a comment, as many bytes long; what is assigned to stays."""
    match = _MAGIC.match(line)
    kept = match.group("left") if match and first == "0" else None
    kept = kept or line[: len(line) - len(line.lstrip(" \t"))]
    rest = line[len(kept) :].rstrip("\r\n")
    size = len(_bytes(rest))
    return kept + (first + "#" * size)[:size] + line[len(kept) + len(rest) :]
