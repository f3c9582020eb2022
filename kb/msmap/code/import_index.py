"""Which files of a tree may ask for what stands in another, told by their words and imports."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Set

INIT = "__init__.py"
# Of files more than these may ask for, some are taken to.
MANY = 60
# Before a name: it may be a module there.
_MODULE = "."
# What a file does besides: it imports all names of another, or from the package that it is in.
_ALL, _PACKAGE = ".*", ".."
# What imports by a name that code puts together.
_DYNAMIC = ("import_module", "__import__")
# What finds a module by a text.
_BY_TEXT = ("getattr", "__dict__", "vars", "attrgetter", "modules")
_WORDS = re.compile(r"\w+")
# Of ASCII, what stands between words.
_GAPS = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}
_IMPORTED = re.compile(r"\bimport\b[^\n(]*(?:\([^)]*\))?")
# An attribute that isn't called: a module can't be.
_DOTTED = re.compile(r"\.\s*(\w+)\b(?!\s*\()")
_STARRED = re.compile(r"import\s*\*")
_FROM_PACKAGE = re.compile(r"from\s*\.[\s.]*import\b")


def words(text: str) -> set[str]:
    """The words of a text, and with a dot before it each that may be a module's name there."""
    found = _plain(text)
    found.update([_MODULE + name for name in _DOTTED.findall(text)])
    if "import" not in found:
        return found
    if "\\" in text:
        text = re.sub(r"\\\r?\n", " ", text)
    for match in _IMPORTED.finditer(text):
        # What stands before it in its line says whence.
        begin = text.rfind("\n", 0, match.start()) + 1
        statement = text[begin : match.end()]
        found.update([_MODULE + name for name in _plain(statement)])
        if _STARRED.search(statement):
            found.add(_ALL)
        if _FROM_PACKAGE.search(statement):
            found.add(_PACKAGE)
    return found


def _plain(text: str) -> set[str]:
    """The words of a text; of ASCII alone that is quickly told."""
    return set(text.translate(_GAPS).split() if text.isascii() else _WORDS.findall(text))


def readers(place: str, saying: Callable[[str], Set[str]]) -> frozenset[str]:
    """The files that may ask for what stands in a file, near or far.

    Args:
        place: the file.
        saying: gives the files that say a word, as ``words`` has it.
    """
    ahead = dict.fromkeys([place])
    left = [place]
    for one in left:
        new = _asking(one, saying) - ahead.keys()
        ahead |= dict.fromkeys(new)
        left += new
        if len(left) > MANY + 1:
            break
    return frozenset(left[1:])


def _asking(place: str, saying: Callable[[str], Set[str]]) -> set[str]:
    """The files that may ask a file itself."""
    folder, file = os.path.split(place)
    stem = os.path.basename(folder) if file == INIT else file.removesuffix(".py")
    found = set().union(saying(_MODULE + stem), *map(saying, _DYNAMIC))
    by_text = set().union(saying(_ALL), *map(saying, _BY_TEXT))
    found |= by_text & saying(stem)
    if file == INIT:
        # A package is asked by what stands in it without a word of its name.
        found |= {one for one in saying(_PACKAGE) if one.startswith(folder + os.sep)}
    return found
