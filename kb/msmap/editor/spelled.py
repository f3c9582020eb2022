"""Names as they stand under a cursor, also in code that doesn't parse while it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n#;]+)", re.M)
_FROM = re.compile(
    r"^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)?|(?:[^\n#;\\]|\\\r?\n)+)", re.M
)
_ALIAS = re.compile(r"([\w.]+)(?:\s+as\s+(\w+))?")
_COMMENT = re.compile(r"#[^\n]*")
_BEFORE = re.compile(r"[\w.]*\Z")
_AFTER = re.compile(r"\w*")
# Whose names are told; everything else is none of ours.
FRAMEWORKS = ("torch", "mindspore")


@dataclass(frozen=True, slots=True)
class Spelled:
    """A dotted name on a line, from its first character to the end of its last word.

    ``name`` is what the imports of the text make of it, ``text`` as it stands there.
    """

    text: str
    name: str
    begin: int
    end: int


def imports(text: str) -> dict[str, str]:
    """What names stand for by the imports of the frameworks in a text, wherever they stand."""
    found: dict[str, str] = {}
    for listed in _IMPORT.findall(text):
        for name, alias in _ALIAS.findall(listed):
            head = name.partition(".")[0]
            if head in FRAMEWORKS:
                found[alias or head] = name if alias else head
    for module, listed in _FROM.findall(text):
        if module.partition(".")[0] in FRAMEWORKS:
            for name, alias in _ALIAS.findall(_COMMENT.sub("", listed)):
                found[alias or name] = f"{module}.{name}"
    return found


def at(text: str, line: str, column: int) -> Spelled | None:
    """The name of a framework's at a column of a line of a text; None if there is none."""
    before = _BEFORE.search(line, 0, column)
    after = _AFTER.match(line, column)
    assert before is not None
    assert after is not None
    begin, end = before.start(), after.end()
    spelled = line[begin:end].strip(".")
    begin = line.find(spelled, begin)
    if not spelled or spelled[0].isdigit():
        return None
    name = _named(text, line, spelled, begin)
    return None if name is None else Spelled(spelled, name, begin, begin + len(spelled))


def typed(text: str, line: str, column: int) -> Spelled | None:
    """What is typed before a column, with its last dot; None if no framework's name begins so."""
    before = _BEFORE.search(line, 0, column)
    assert before is not None
    spelled = before[0]
    head, dot, rest = spelled.partition(".")
    whole = imports(text).get(head, head if head in FRAMEWORKS else None)
    if not dot or whole is None or whole.partition(".")[0] not in FRAMEWORKS:
        return None
    return Spelled(spelled, f"{whole}.{rest}", before.start(), column)


def word(line: str, column: int) -> str:
    """The word at a column of a line, without what stands before its dot."""
    before, after = _BEFORE.search(line, 0, column), _AFTER.match(line, column)
    assert before is not None
    assert after is not None
    return f"{before[0]}{after[0]}".rpartition(".")[2]


def _named(text: str, line: str, spelled: str, begin: int) -> str | None:
    head, dot, rest = spelled.partition(".")
    module = re.match(r"\s*from\s+([\w.]+)\s+import\b", line)
    if module is not None and begin > module.end(1) and not dot:
        whole = f"{module[1]}.{spelled}"
        return whole if whole.partition(".")[0] in FRAMEWORKS else imports(text).get(spelled)
    known = imports(text).get(head, head if head in FRAMEWORKS and dot else None)
    return None if known is None else f"{known}{dot}{rest}"
