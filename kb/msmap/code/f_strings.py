"""Where the expressions in f-strings stand: before Python 3.12 the parser doesn't tell."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from msmap.code.source import Source

_TOKEN = re.compile(
    r"""([A-Za-z]*)(\"\"\"|'''|"|')|[\s\\()]+|\#[^\n]*""",
)
_OPENING, _CLOSING = "([{", ")]}"


def place(source: Source, node: ast.JoinedStr) -> bool:
    """Give the expressions in an f-string their places in the source; whether they were found.

    They are where their text, parsed alone, gives the very same expressions, one by one.
    """
    begin, _ = source.span(node)
    text = source.text(node)
    found = list(_fields(text))
    values = list(_values(node))
    if None in found or len(found) != len(values):
        return False
    trees: list[ast.expr] = []
    for (first, last), value in zip(found, values, strict=True):  # type: ignore[misc]
        tree = _parsed(text[first:last])
        if tree is None or ast.dump(tree) != ast.dump(value):
            return False
        trees.append(tree)
    for (first, last), value, tree in zip(found, values, trees, strict=True):  # type: ignore[misc]
        at = begin + len(text[:first].encode())
        _move(source, tree, value, text[first:last], at)
    return True


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(f"({text})", mode="eval").body
    except (SyntaxError, ValueError):
        return None


def _values(node: ast.JoinedStr) -> Iterator[ast.expr]:
    """The expressions of an f-string in their order, those of formats after what they format."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            yield part.value
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _values(part.format_spec)


def _fields(text: str) -> Iterator[tuple[int, int] | None]:
    """Where the expressions of texts that stand one after another begin and end; None: unclear."""
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            yield None
            return
        place = match.end()
        if match[2] is None:
            continue
        prefix = match[1].lower()
        end = _end(text, place, match[2])
        if end is None:
            yield None
            return
        if "f" in prefix:
            yield from _within(text, place, end, "r" in prefix)
        place = end + len(match[2])


def _end(text: str, place: int, quote: str) -> int | None:
    """Where a text ends that begins here; before Python 3.12 no quote of its kind is inside."""
    while place < len(text):
        if text[place] == "\\":
            place += 2
        elif text.startswith(quote, place):
            return place
        else:
            place += 1
    return None


def _within(text: str, place: int, end: int, raw: bool) -> Iterator[tuple[int, int] | None]:
    """The fields between two places of an f-string."""
    while place < end:
        if text.startswith("\\N{", place) and not raw:
            place = text.find("}", place) + 1 or end
        elif text.startswith(("{{", "}}"), place):
            place += 2
        elif text[place] == "{":
            last = _expression(text, place + 1, end)
            if last is None:
                yield None
                return
            yield place + 1, last
            place = last
            if text[place] == "!":
                place += 2
            if text[place] == ":":
                closing = _format(text, place + 1, end)
                yield from _within(text, place + 1, closing, raw)
                place = closing
            place += 1
        else:
            place += 1


def _expression(text: str, place: int, end: int) -> int | None:
    """Where an expression ends that begins here; None if it prints itself too, as ``{x=}`` does."""
    depth, quote = 0, ""
    while place < end:
        char = text[place]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in _OPENING:
            depth += 1
        elif depth and char in _CLOSING:
            depth -= 1
        elif not depth and (char in ":}" or (char == "!" and text[place + 1] != "=")):
            return None if text[:place].rstrip().endswith("=") else place
        place += 1
    return None


def _format(text: str, place: int, end: int) -> int:
    """Where a format ends that begins here."""
    depth = 0
    while place < end and (depth or text[place] != "}"):
        depth += (text[place] == "{") - (text[place] == "}")
        place += 1
    return place


def _move(source: Source, tree: ast.expr, value: ast.expr, text: str, begin: int) -> None:
    """The nodes of an expression get the places of the same ones, parsed from its text alone."""
    lines = [0, *accumulate(len(line) for line in f"({text})".encode().splitlines(True))]
    pairs: list[tuple[Any, Any]] = [(tree, value)]
    while pairs:
        there, here = pairs.pop()
        if hasattr(there, "lineno"):
            for line, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
                offset = lines[getattr(there, line) - 1] + getattr(there, column) - 1
                number, place = source.counted(begin + offset)
                setattr(here, line, number)
                setattr(here, column, place)
        pairs += zip(ast.iter_child_nodes(there), ast.iter_child_nodes(here), strict=True)
