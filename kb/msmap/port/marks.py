"""Marks in what was moved to another place: where each of its statements stood in the source.

What is said of a statement stands above it, also where it was moved to, or a second run, which
finds it there, would say it once more. What is said is known last, so each moved statement has a
line of its own above it that names its place; it becomes what is said, or is removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from msmap.code.source import Change

# No other comment holds such a character.
_SIGN = "\x01"
_MARK = re.compile(rf"^([ \t\f]*)# {_SIGN}(\d+)\r?\n", re.MULTILINE)


def mark(indent: str, place: int) -> str:
    """A line that stands for what is said above the line that began at a byte of the source."""
    return f"{indent}# {_SIGN}{place}\n"


def places(changes: Iterable[Change]) -> Iterator[int]:
    """The places that marks in changes name."""
    for _, _, text in changes:
        if _SIGN in text:
            yield from (int(found[2]) for found in _MARK.finditer(text))


def replaced(changes: Sequence[Change], said: Callable[[str, int], str]) -> list[Change]:
    """Changes with other lines instead of marks: by the indent and the place of each."""
    return [
        (begin, end, _MARK.sub(lambda found: said(found[1], int(found[2])), text))
        if _SIGN in text
        else (begin, end, text)
        for begin, end, text in changes
    ]


def removed(changes: Sequence[Change]) -> list[Change]:
    """Changes without marks."""
    return replaced(changes, lambda _indent, _place: "")
