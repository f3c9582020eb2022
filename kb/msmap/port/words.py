"""Words of Python code that stand neither in a text nor in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

# Comments and texts, so that nothing in them is taken for code.
_SKIPPED = (
    r"#[^\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
)
_FIELD = re.compile(r"\{([^{}]*)")
_PREFIX = re.compile(r"(?:[fF][rR]?|[rR][fF])\Z")


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, words))
    return re.compile(rf"(?:{_SKIPPED})|(?<![\w.])({listed})(?!\w)", re.DOTALL)


def used(code: str, words: Iterable[str]) -> set[str]:
    """Those of some names that stand in code, or in what an f-string puts in; not after a dot."""
    wanted = tuple(sorted(words))
    found: set[str] = set()
    if not wanted:
        return found
    for match in _pattern(wanted).finditer(code):
        if match[1] is not None:
            found.add(match[1])
        elif "{" in match[0] and _PREFIX.search(code, max(match.start() - 2, 0), match.start()):
            for field in _FIELD.findall(match[0].replace("{{", "")):
                found |= used(field, wanted)
    return found


def replaced(code: str, names: Mapping[str, str]) -> str:
    """Code with some dotted names written in another way, from their first word on."""
    listed = tuple(name for name in names if name in code)
    if not listed:
        return code
    return _pattern(listed).sub(
        lambda match: match[0] if match[1] is None else names[match[1]], code
    )
