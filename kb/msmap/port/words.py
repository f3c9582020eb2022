"""Words of Python code that stand neither in a text nor in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

# Comments and texts, so that nothing in them is taken for code.
_SKIPPED = (
    r"#[^\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
)
_TEXTS = re.compile(_SKIPPED, re.DOTALL)
_FIELD = re.compile(r"\{([^{}]*)")
_PREFIX = re.compile(r"(?:[fF][rR]?|[rR][fF])\Z")


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, words))
    return re.compile(rf"(?:{_SKIPPED})|(?<![\w.])({listed})(?!\w)", re.DOTALL)


def used(code: str, words: Iterable[str]) -> set[str]:
    """Those of some names that stand in code, or in what an f-string puts in; not after a dot."""
    wanted = {word for word in words if word in code}
    found: set[str] = set()
    place = 0
    # No pattern for these names: to make one takes longer than to read a file.
    for match in _TEXTS.finditer(code) if wanted else ():
        found.update(_between(code, place, match.start(), wanted - found))
        if "{" in match[0] and _PREFIX.search(code, max(match.start() - 2, 0), match.start()):
            for field in _FIELD.findall(match[0].replace("{{", "")):
                found |= used(field, wanted)
        place = match.end()
    found.update(_between(code, place, len(code), wanted - found))
    return found


def _between(code: str, begin: int, end: int, words: Iterable[str]) -> Iterator[str]:
    """Those of some names that stand between two places."""
    for word in words:
        place = code.find(word, begin, end)
        while place >= 0:
            before, after = code[place - 1 : place], code[place + len(word) : place + len(word) + 1]
            if not (_is_part(before) or before == "." or _is_part(after)):
                yield word
                break
            place = code.find(word, place + 1, end)


def _is_part(character: str) -> bool:
    return character.isalnum() or character == "_"


def replaced(code: str, names: Mapping[str, str]) -> str:
    """Code with some dotted names written in another way, from their first word on."""
    listed = tuple(name for name in names if name in code)
    if not listed:
        return code
    return _pattern(listed).sub(
        lambda match: match[0] if match[1] is None else names[match[1]], code
    )
