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
_TEXTS = re.compile(_SKIPPED, re.DOTALL)
# Names that are asked for in every file. A pattern that begins with the name is found soonest.
_USUAL = {
    word: re.compile(rf"{word}(?<![\w.]{word})(?!\w)")
    for word in ("torch", "nn", "F", "mindspore", "mint", "ops", "Tensor", "Parameter")
}
_FIELD = re.compile(r"\{([^{}]*)")
_PREFIX = re.compile(r"(?:[fF][rR]?|[rR][fF])\Z")


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    listed = "|".join(map(re.escape, words))
    return re.compile(rf"(?:{_SKIPPED})|(?<![\w.])({listed})(?!\w)", re.DOTALL)


def used(code: str, words: Iterable[str]) -> set[str]:
    """Those of some names that stand in code, or in what an f-string puts in; not after a dot."""
    # What stands there without a look at texts and comments is more than what is used.
    wanted = {word for word in words if _stands(code, word)}
    if not wanted:
        return wanted
    fields: list[str] = []

    def left(match: re.Match[str]) -> str:
        """What stays of a text or a comment: where it stood, words end."""
        text = match[0]
        if "{" in text and _PREFIX.search(code, max(match.start() - 2, 0), match.start()):
            fields.extend(_FIELD.findall(text.replace("{{", "")))
        return "''"

    # No pattern for these names: to make one takes longer than to read a file.
    bare = _TEXTS.sub(left, code)
    found = {word for word in wanted if _stands(bare, word)}
    for field in fields:
        found |= used(field, wanted - found)
    return found


def _stands(code: str, word: str) -> bool:
    """Whether a name stands somewhere in code without texts and comments."""
    if (usual := _USUAL.get(word)) is not None:
        return usual.search(code) is not None
    place = code.find(word)
    while place >= 0:
        before = code[place - 1 : place]
        if before != "." and not _is_part(before):
            after = code[place + len(word) : place + len(word) + 1]
            if not _is_part(after):
                return True
        place = code.find(word, place + 1)
    return False


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
