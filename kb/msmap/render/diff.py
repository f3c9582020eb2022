"""Changes of a file as a unified diff, which ``patch -p1`` and ``git apply`` take."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import accumulate

# What replaces the text between two byte offsets.
Change = tuple[int, int, str]

_AROUND = 3
# In names of files git and patch read these as escapes only.
_SPECIAL = re.compile(r'[\x00-\x1f\x7f"\\]')
_BREAK = ord("\n")
_NO_BREAK = "\\ No newline at end of file\n"


def unified(path: str, text: str, changes: Sequence[Change]) -> Iterator[str]:
    """The lines of a diff, each with its break; none if nothing changes.

    Args:
        path: the name that the file gets in it, with slashes, and as seen from where it is applied.
        text: what the file holds.
        changes: what replaces parts of its bytes as UTF-8, in order.
    """
    content = text.encode(errors="surrogatepass")
    old = _lines(content)
    blocks = list(_blocks(content, old, changes))
    if not blocks:
        return
    yield f"--- {_name(f'a/{path}')}\n"
    yield f"+++ {_name(f'b/{path}')}\n"
    shift = 0
    for group in _grouped(blocks):
        first, last = max(group[0][0] - _AROUND, 0), min(group[-1][1] + _AROUND, len(old))
        grown = sum(len(new) - (end - begin) for begin, end, new in group)
        yield f"@@ -{_range(first, last)} +{_range(first + shift, last + shift + grown)} @@\n"
        shift += grown
        place = first
        for begin, end, new in group:
            yield from _marked(" ", old[place:begin])
            yield from _marked("-", old[begin:end])
            yield from _marked("+", new)
            place = end
        yield from _marked(" ", old[place:last])


# Lines from one to another, without the last, and what comes in their place.
_Block = tuple[int, int, list[bytes]]


def _lines(content: bytes) -> list[bytes]:
    """Lines as git and patch see them: a carriage return is one of their letters."""
    return re.findall(rb"[^\n]*\n|[^\n]+", content)


def _blocks(content: bytes, old: Sequence[bytes], changes: Sequence[Change]) -> Iterator[_Block]:
    """The lines that change, apart from those between them that don't."""
    starts = list(accumulate(map(len, old), initial=0))

    def line(offset: int) -> int:
        return bisect_right(starts, offset, hi=len(old)) - 1 if old else 0

    def reach(low: int, high: int, text: str) -> int:
        """Up to where lines change: not behind a break that stays, or goes with its line."""
        whole = text.endswith("\n") or (not text and low == starts[line(low)])
        return high - 1 if high > low and (whole or content[high - 1] != _BREAK) else high

    at = 0
    while at < len(changes):
        first = line(changes[at][0])
        last, end = first, at
        while end < len(changes) and (end == at or line(changes[end][0]) <= last + 1):
            last = max(last, line(reach(*changes[end])))
            end += 1
        stop = starts[min(last + 1, len(old))]
        pieces, place = [], starts[first]
        for low, high, text in changes[at:end]:
            pieces += [content[place:low], text.encode(errors="surrogatepass")]
            place = high
        new = _lines(b"".join([*pieces, content[place:stop]]))
        yield from _refined(first, old[first : last + 1], new)
        at = end


def _refined(first: int, old: Sequence[bytes], new: list[bytes]) -> Iterator[_Block]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for kind, low, high, begin, end in matcher.get_opcodes():
        if kind != "equal":
            yield first + low, first + high, new[begin:end]


def _grouped(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """Blocks that stand so close that the lines around them touch."""
    group: list[_Block] = []
    for block in blocks:
        if group and block[0] - group[-1][1] > 2 * _AROUND:
            yield group
            group = []
        group.append(block)
    yield group


def _range(first: int, last: int) -> str:
    """A range of lines as a hunk's head has it; of none, the line before."""
    if last - first == 1:
        return str(last)
    return f"{first + 1 if last > first else first},{last - first}"


def _marked(mark: str, lines: Sequence[bytes]) -> Iterator[str]:
    for line in lines:
        text = mark + line.decode(errors="surrogatepass")
        yield text if text.endswith("\n") else f"{text}\n{_NO_BREAK}"


def _name(path: str) -> str:
    """A name as git writes it: in quotes where it has letters that would end it."""
    if _SPECIAL.search(path):
        return '"' + _SPECIAL.sub(lambda m: f"\\{ord(m.group()):03o}", path) + '"'
    return f"{path}\t" if " " in path else path
