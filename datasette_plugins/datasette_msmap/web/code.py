"""Code as it is shown: coloured, in lines that fit, and with what differs between two calls marked.

Nothing is added to the text of code but line breaks where Python allows them: what is copied runs.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from markupsafe import Markup, escape

from datasette_msmap.web.unseen import clean

# What a pane of half a page takes at 1440 pixels.
WIDTH = 66
# What one takes on the narrowest phone, and a name that is long for it.
_NARROW, _LONG = 35, 16
_TOKEN = re.compile(
    r"(?P<c>\#[^\n]*)"
    r"|(?P<s>\b[rRbBuUfF]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\""
    r"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<n>\b\d[\w.]*(?:(?<=[eE])[+-]\d+)?)"
    r"|(?P<w>[^\W\d]\w*)"
    r"|(?P<g>[ \t]+|\n)"
    r"|(?P<o>.)",
    re.DOTALL,
)
_OPEN, _SHUT = "([{", ")]}"
_WORDS = frozenset(keyword.kwlist)
_ROOTS = ("torch", "mindspore")

# A token: what it is, and its text.
Token = tuple[str, str]


def _tokens(text: str) -> list[Token]:
    return [(str(found.lastgroup), found.group()) for found in _TOKEN.finditer(text)]


@lru_cache(maxsize=2000)
def shown(text: str) -> Markup:
    """Code in colours."""
    return _drawn(_tokens(clean(text)), ())


@lru_cache(maxsize=2000)
def sides(torch: str, mindspore: str) -> tuple[Markup, Markup]:
    """Code of both frameworks in colours: lines broken alike, and what differs marked.

    Where a line of either is too long its counterpart has one argument a line too, so that they
    stand side by side.
    """
    both = [_logical(clean(text)) for text in (torch, mindspore)]
    if len(both[0]) == len(both[1]):
        wide = [max(len(one), len(other)) > WIDTH for one, other in zip(*both, strict=True)]
        both = [
            [_fitted(line, WIDTH, long) for line, long in zip(lines, wide, strict=True)]
            for lines in both
        ]
    else:
        both = [[_fitted(line, WIDTH) for line in lines] for lines in both]
    one, other = (_tokens("\n".join(lines)) for lines in both)
    return _drawn(one, _differing(one, other)), _drawn(other, _differing(other, one))


def broken(text: str, width: int = WIDTH) -> str:
    """Code with one argument a line in calls of lines that are longer."""
    if all(len(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(_fitted(line, width) for line in _logical(text))


def _logical(text: str) -> list[str]:
    """The lines of code, those together that a bracket or a string holds together."""
    found, depth = [""], 0
    for kind, token in _tokens(text):
        if token == "\n" and depth <= 0:
            found.append("")
            continue
        depth += (token in _OPEN) - (token in _SHUT) if kind == "o" else 0
        found[-1] += token
    return found


def _fitted(line: str, width: int, several: bool = False) -> str:
    """A line, broken at the arguments of its longest call if it is too long.

    Where it should have ``several`` lines it is broken too if it has several arguments.
    """
    if (len(line) <= width and not several) or "\n" in line:
        return line
    tokens = _tokens(line)
    pairs = _brackets(tokens)
    if any(kind == "c" for kind, _ in tokens) or not pairs:
        return line
    # The longest is what makes the line long.
    start, stop = max(pairs, key=lambda pair: _length(tokens[pair[0] : pair[1]]))
    parts = _parts(tokens[start + 1 : stop])
    head = "".join(token for _, token in tokens[: start + 1])
    tail = "".join(token for _, token in tokens[stop:])
    if not parts or (len(parts) == 1 and len(line) <= width):
        return line
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    body = [_fitted(f"{indent}{part},", width) for part in parts]
    # Behind a single expression a comma makes a tuple of it.
    ends = "".join(token for _, token in tokens[:stop]).rstrip().endswith(",")
    if not ends and (len(parts) == 1 or tokens[start][1] == "["):
        body[-1] = body[-1].removesuffix(",")
    return "\n".join([head, *body, f"{indent[4:]}{tail}"])


def _length(tokens: Iterable[Token]) -> int:
    return sum(len(token) for _, token in tokens)


def _brackets(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where the outermost brackets of a line begin and end."""
    found, opened = [], []
    for place, (kind, token) in enumerate(tokens):
        if kind == "o" and token in _OPEN:
            opened.append(place)
        elif kind == "o" and token in _SHUT and opened:
            start = opened.pop()
            if not opened:
                found.append((start, place))
    return found if not opened else []


def _parts(tokens: Sequence[Token]) -> list[str]:
    """What stands between the commas of a bracket; all of it where commas part no arguments."""
    found, depth = [""], 0
    for kind, token in tokens:
        if kind == "o":
            depth += (token in _OPEN) - (token in _SHUT)
        elif depth == 0 and token in ("for", "lambda"):
            return ["".join(token for _, token in tokens).strip()]
        if token == "," and kind == "o" and depth == 0:
            found.append("")
        else:
            found[-1] += token
    return [part.strip() for part in found if part.strip()]


def _differing(tokens: Sequence[Token], others: Sequence[Token]) -> Sequence[bool]:
    """Which tokens the other side has not, at its place; the frameworks' own names count alike."""
    one, other = (
        [(place, _same(token)) for place, (kind, token) in enumerate(side) if kind != "g"]
        for side in (tokens, others)
    )
    found = [False] * len(tokens)
    compared = SequenceMatcher(None, [t for _, t in one], [t for _, t in other], autojunk=False)
    # Where little is the same, marks would say nothing.
    if compared.ratio() < 0.5:
        return ()
    for what, first, last, _, _ in compared.get_opcodes():
        if what != "equal":
            for place, token in one[first:last]:
                found[place] = token not in ",()"
    return found


def _same(token: str) -> str:
    return "" if token in _ROOTS else token


def _drawn(tokens: Sequence[Token], marked: Sequence[bool]) -> Markup:
    found: list[str] = []
    open_ = False
    # Where a pane is too narrow for a line without spaces, it breaks before what a bracket holds
    # and before the last part of a long name.
    lines = "".join(token for _, token in tokens).split("\n")
    narrow = any(len(line) > _NARROW for line in lines)
    for place, (kind, token) in enumerate(tokens):
        mark = bool(marked) and (
            marked[place] or (kind == "g" and token != "\n" and _between(marked, place))
        )
        if mark != open_:
            found.append("<mark>" if mark else "</mark>")
            open_ = mark
        before = tokens[place - 1][1] if narrow and kind == "w" and place else ""
        if before == "(" or (before == "." and len(token) > _LONG):
            found.append("<wbr>")
        found.append(_coloured(kind, token, tokens, place))
    return Markup("".join(found) + ("</mark>" if open_ else ""))


def _between(marked: Sequence[bool], place: int) -> bool:
    return 0 < place < len(marked) - 1 and marked[place - 1] and marked[place + 1]


def _coloured(kind: str, token: str, tokens: Sequence[Token], place: int) -> str:
    told = str(escape(token))
    if kind == "w":
        after = tokens[place + 1][1] if place + 1 < len(tokens) else ""
        twice = place + 2 < len(tokens) and tokens[place + 2][1] == "="
        if token in _WORDS:
            kind = "k"
        elif after == "=" and not twice:
            kind = "a"
    return f'<i class="{kind}">{told}</i>' if kind in ("s", "n", "c", "k", "a") else told
