"""Error messages: what of one is the same whenever it is given, and how alike two are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from math import log

from msmap.model import Check

_LONGEST = 400
# Errors less alike than this have nothing to do with each other.
_ALIKE = 0.6
# An exception's type stands in front, or in a traceback at the beginning of a line.
_TYPED = re.compile(
    r"^(?:[A-Za-z_][\w.]*\.)?([A-Z]\w*(?:Error|Exception|Interrupt|Iteration)): ?(.*)", re.M
)
_HEADING = re.compile(r"-{3,}|- [\w ]+:$")
_WRAPPED = re.compile(r"^MindSpore's gradient raised ")
_PLACES = re.compile(r"(?:[A-Za-z]:)?(?:[\w.~-]*/)+[\w.~-]+|0x[0-9a-fA-F.]+")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w.]\w)")
_NUMBERS = re.compile(r"#(?:, ?#)+,?")
_SPACES = re.compile(r"\s+")
_OPERATOR = re.compile(
    r"kernel (\w+) unregistered|(?:[Oo]perator|[Oo]p|[Pp]rimitive) ?\[(\w+)\]|\bFor '(\w+)'"
)
# The argument or attribute that an error is about.
_ABOUT = re.compile(r"unexpected keyword argument '(\w+)'|has no attribute '(\w+)'")
_WORD = re.compile(r"[A-Za-z_]\w*")
# What stands in errors alone, for those that come without their type.
_TELLING = re.compile(
    r"has no attribute|unexpected keyword|is not callable|unregistered|nsupported"
    r"|not supported|only supports?\b|For '\w+'|[Pp]rimitive ?\[|operator ?\[|[Tt]raceback \("
    r"|must be|should be|takes \d+ positional|missing \d+ required|are not loaded|already exists"
    r"|is not defined|cannot import name|No module named|^Expected |should return same number"
    r"|No matching distribution|Could not find a version"
)


def general(text: str) -> str:
    """An error without what differs from run to run: numbers, addresses, paths.

    >>> general("ValueError: For 'Tile', shape (2, 3) at 0x7f is wrong: /tmp/a.py")
    "ValueError: For 'Tile', shape (#) at … is wrong: …"
    """
    text = _PLACES.sub("…", text.strip().split("\n", 1)[0][:_LONGEST])
    return _SPACES.sub(" ", _NUMBERS.sub("#", _NUMBER.sub("#", text)))


def error(text: str) -> str | None:
    """The error that a text says or ends with, its type in front; None if it says none."""
    if found := _TYPED.findall(text):
        kind, said = found[-1]
        if not said.strip():
            # What the C++ side raises may begin with a heading between two lines of dashes.
            rest = text[text.rfind(f"{kind}:") :].split("\n")[1:]
            said = next((line for line in rest if line.strip() and not _HEADING.match(line)), "")
        return f"{kind}: {said.strip()}"
    return text.strip() if _TELLING.search(text) else None


def given(check: Check) -> Iterator[str]:
    """The errors that a check gave, whatever it was made of, on either side."""
    for evidence in check.evidence:
        told = [evidence.mindspore_gave, evidence.message]
        # That PyTorch raises is what such a check is about.
        told += [evidence.torch_gave] if check.expect == "torch-raises" else []
        told += [finding.message for finding in evidence.variants.values()]
        for text in (_WRAPPED.sub("", text) for text in told):
            if _TYPED.match(text):
                yield general(text)


# All errors that the evidence has are asked for again by each question.
@lru_cache(maxsize=4096)
def words(text: str) -> frozenset[str]:
    """The words of an error, to compare it by."""
    return frozenset(word.lower() for word in _WORD.findall(text))


def operators(text: str) -> list[str]:
    """The operators and classes of MindSpore's that an error names as its subject."""
    return ["".join(found) for found in _OPERATOR.findall(text)]


@lru_cache(maxsize=8)
def _worth(
    told: tuple[frozenset[str], ...],
) -> tuple[dict[str, float], dict[frozenset[str], float]]:
    """What each word of some errors counts for, and each error with all its words."""
    counts = Counter(word for has in told for word in has)
    worth = {word: log(1 + len(told) / count) for word, count in counts.items()}
    return worth, {has: sum(worth[word] for word in has) for has in {*told}}


def alike(asked: str, known: Iterable[tuple[str, str]]) -> dict[str, float]:
    """How alike an error is to those that are known, from 0 to 1, where it is so at all.

    Words that stand in few count for more, most of all those that stand in none; what was asked may
    be a part. Errors of different operators, arguments or attributes aren't alike.

    Args:
        asked: the error.
        known: errors, each with what it is known by; of several, the most alike counts.
    """
    wanted = words(general(asked))
    subject = operators(asked)[:1]
    about = _ABOUT.findall(asked)[:1]
    # What has to stand in a text: to look for that first takes a tenth of the time.
    named = [*subject, *filter(None, about[0] if about else ())]

    # Many checks give the same error.
    @cache
    def fitting(text: str) -> frozenset[str] | None:
        if not all(name in text for name in named):
            return None
        if subject and operators(text)[:1] != subject:
            return None
        return words(text) if not about or _ABOUT.findall(text)[:1] == about else None

    told = [(key, has) for key, text in known if (has := fitting(text)) is not None]
    worth, whole = _worth(tuple(has for _, has in told))
    most = log(1 + len(told))
    every = sum(worth.get(word, most) for word in wanted)

    @cache
    def likeness(has: frozenset[str]) -> float:
        shared = sum(worth[word] for word in wanted & has)
        return shared / (every + (whole[has] - shared) / 2 or 1)

    found: dict[str, float] = {}
    for key, has in told:
        if (score := likeness(has)) >= _ALIKE:
            found[key] = max(score, found.get(key, 0.0))
    return found
