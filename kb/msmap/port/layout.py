"""Comments and line breaks of a piece of code, kept where its words are replaced."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from difflib import SequenceMatcher

# A word of Python's, or what stands between two; nothing else of an expression is left over.
_WORD = re.compile(
    r"(?P<blank>(?:[ \t\f\r\n]+|\\\r?\n|#[^\n]*)+)"
    r"|(?P<text>(?:[bBrRuUfFtT]{1,2})?(?:"
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"(?!"")[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'(?!'')[^'\\\n]*(?:\\.[^'\\\n]*)*'))"
    r"|(?P<number>(?:\d[\d_]*)?\.?\d[\d_]*\.?(?:[eE][-+]?\d[\d_]*)?[jJ]?(?!\w)|0[xXoObB][\da-fA-F_]+)"
    r"|(?P<name>\w+)"
    r"|(?P<operator>\*\*=?|//=?|<<=?|>>=?|\.\.\.|->|:=|[-+*/%&|^@<>=!]=|[-+*/%&|^@<>=~()\[\]{},:;.])"
    r"|.",
    re.DOTALL,
)
_OPENING, _CLOSING = "([{", ")]}"
# More words than these are compared no further than to where they begin to differ.
_MANY = 1500


@dataclass(frozen=True, slots=True)
class _Words:
    """The words of an expression, and what stands before each: spaces, comments, line breaks.

    ``last`` is what stands after them; ``depths`` count the brackets that are open in each gap.
    """

    words: list[str]
    gaps: list[str]
    depths: list[int]
    last: str


def enclosed(text: str) -> str:
    """An expression's text in parentheses where one of its lines ends outside of all brackets.

    Such an expression stood in parentheses, which don't belong to its text, or behind a backslash.
    """
    if "\n" not in text:
        return text
    found = _words(text)
    if found is None:
        return f"({text})"
    gaps = zip(found.gaps, found.depths, strict=True)
    is_open = any(not depth and "\n" in gap.replace("\\\n", "") for gap, depth in gaps)
    return f"({text})" if is_open else text


def kept(old: str, new: str) -> str:
    """The new text with the comments and line breaks of the old one, as far as words are the same.

    Where they aren't, comments come after what they stood behind. The old text is an expression
    that may stand in brackets of its own.
    """
    if "\n" not in old:
        return new
    before, after = _words(old), _words(new)
    if before is None or after is None:
        return new
    made, wanted = _joined(before, after)
    read = _words(made)
    if read is None or read.words not in (wanted, ["(", *wanted, ")"]):
        return new
    return made


def _words(text: str) -> _Words | None:
    """The words of an expression; None where it can't be told."""
    whole = f"({text}\n)"
    words: list[str] = []
    gaps: list[str] = []
    depths: list[int] = []
    place, depth = 1, 0
    for found in _WORD.finditer(whole, 1):
        if found.lastgroup == "blank":
            continue
        if found.lastgroup is None:
            return None
        begin, end = found.span()
        gap = whole[place:begin]
        if end == len(whole):
            return _Words(words, gaps, depths, gap.removesuffix("\n"))
        word = found[0]
        depths.append(depth)
        if word in _CLOSING:
            depth -= 1
        words.append(word)
        gaps.append(gap)
        if word in _OPENING:
            depth += 1
        place = end
    return None


def _joined(old: _Words, new: _Words) -> tuple[str, list[str]]:
    """The new words with what stands between the old ones, and the words that these are."""
    wanted: list[str] = []
    pieces: list[str] = []
    left: list[str] = []
    depth = 0
    outside = left_inside = False

    def put(word: str, gap: str, was_inside: bool) -> None:
        nonlocal depth, outside, left_inside
        around = depth
        if word in _CLOSING:
            depth -= 1
        whole = left[0] + "".join(g.lstrip(" \t") for g in left[1:]) if left else ""
        whole += gap.lstrip(" \t\n") if left and "#" not in gap else gap
        left.clear()
        # A line ends inside of brackets alone: where there are none any more, some are needed.
        if around == 0 and (was_inside or left_inside) and "\n" in whole.replace("\\\n", ""):
            outside = True
        left_inside = False
        pieces.append(whole + word)
        wanted.append(word)
        if word in _OPENING:
            depth += 1

    for kind, i, i_end, j, j_end in _opcodes(old.words, new.words):
        if kind == "equal":
            for number, place in enumerate(range(i, i_end)):
                gap = old.gaps[place]
                if number == 0 and "\n" not in gap and j < len(new.gaps):
                    gap = new.gaps[j]
                put(old.words[place], gap, old.depths[place] > 0)
            continue
        if (i_end - i, j_end - j) == (1, 0) and old.words[i] == "," and _may_end(old, i, wanted):
            put(",", old.gaps[i], True)
            continue
        lost = [gap for gap in old.gaps[i:i_end] if "#" in gap]
        if j < j_end and not lost and i < i_end and "\n" in old.gaps[i]:
            lost = [old.gaps[i]]
        inside = any(old.depths[place] > 0 for place in range(i, i_end))
        left += lost
        left_inside = left_inside or (inside and bool(lost))
        for place in range(j, j_end):
            put(new.words[place], "" if left else new.gaps[place], inside and bool(left))
    rest = "".join(left) + (old.last.lstrip(" \t\n") if left and "#" not in old.last else old.last)
    outside = outside or "\n" in rest
    text = "".join(pieces) + rest
    return f"({text})" if outside else text, wanted


def _may_end(old: _Words, place: int, words: list[str]) -> bool:
    """Whether the comma before a bracket on a line of its own may stay: in a call or a list."""
    following = old.words[place + 1] if place + 1 < len(old.words) else ""
    if following not in _CLOSING or not following or "\n" not in old.gaps[place + 1]:
        return False
    depth, at = 0, len(words)
    while depth >= 0 and at > 0:
        at -= 1
        depth += (words[at] in _CLOSING) - (words[at] in _OPENING)
        if depth == 0 and words[at] == "for":
            return False
    before = words[at - 1] if at > 0 else ""
    name = before.isidentifier() and not keyword.iskeyword(before)
    applied = name or (before != "" and before in _CLOSING)
    return at + 1 < len(words) and (applied if following == ")" else not applied)


def _opcodes(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """How the new words come of the old ones: what is equal first and last isn't compared twice."""
    head, most = 0, min(len(old), len(new))
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    i, j = len(old) - tail, len(new) - tail
    found = [("equal", 0, head, 0, head)] if head else []
    if max(i, j) - head > _MANY:
        found.append(("replace", head, i, head, j))
    else:
        matcher = SequenceMatcher(None, old[head:i], new[head:j], autojunk=False)
        found += [
            (kind, a + head, b + head, c + head, d + head)
            for kind, a, b, c, d in matcher.get_opcodes()
        ]
    if tail:
        found.append(("equal", i, len(old), j, len(new)))
    return _slid([code for code in found if code[1] < code[2] or code[3] < code[4]], old)


_Opcode = tuple[str, int, int, int, int]


def _slid(codes: list[_Opcode], old: list[str]) -> list[_Opcode]:
    """The same with the comma left before what is left out, not the one behind it."""
    for at in range(1, len(codes) - 1):
        (before, a, b, c, d), (kind, i, i_end, j, j_end) = codes[at - 1], codes[at]
        after, e, f, g, h = codes[at + 1]
        if (before, kind, after) == ("equal", "delete", "equal") and old[i] == old[i_end] == ",":
            codes[at - 1] = (before, a, b + 1, c, d + 1)
            codes[at] = (kind, i + 1, i_end + 1, j + 1, j_end + 1)
            codes[at + 1] = (after, e + 1, f, g + 1, h)
    return [code for code in codes if code[1] < code[2] or code[3] < code[4]]
