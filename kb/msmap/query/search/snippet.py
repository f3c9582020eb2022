"""Words in context: the part of a text that has most of what was looked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msmap.model import Text
from msmap.query.search.tokens import Term

# Characters around what was found; Chinese says as much with half as many.
_AROUND = {"en": 90, "zh": 45}
_WORD = re.compile(r'"([^"]+)"')
# What finds each term in a text.
Sought: TypeAlias = Sequence[re.Pattern[str]]
_CJK = re.compile(r"[\u3400-\u9fff]")


def sought(terms: Iterable[Term]) -> Sought:
    """What finds each term in a text: the beginnings of its words."""
    found = []
    for term in terms:
        forms = []
        for phrase in _WORD.findall(term.query):
            if _CJK.search(phrase):
                pairs = phrase.split()
                forms.append(pairs[0] + "".join(pair[-1] for pair in pairs[1:]))
            else:
                parts = (re.escape(_stem(word)) + r"\w*" for word in phrase.split())
                forms.append(r"(?<![A-Za-z])" + r"\W*".join(parts))
        found.append(re.compile("|".join(forms), re.IGNORECASE))
    return found


def around(document: Any, title: Text, sought: Sought) -> Text:
    """The words around what was found in the texts of a document, "" where nothing more is.

    Args:
        document: a record or guide as plain data, with texts as mappings of ``en`` and ``zh``.
        title: what is shown anyway.
        sought: what was looked for.
    """
    best, most = None, _count(sought, title.en, title.zh)
    for en, zh in _texts(document):
        if (count := _count(sought, en, zh)) > most:
            best, most = (en, zh), count
    if best is None:
        return Text("", "")
    return Text(_window(best[0], sought, "en"), _window(best[1], sought, "zh"))


def _stem(word: str) -> str:
    """A word without a usual ending, roughly as FTS5's stems are."""
    for ending in ("ations", "ation", "ings", "ing", "ised", "ized", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word


def _count(sought: Sought, en: str, zh: str) -> int:
    return sum(bool(pattern.search(en) or pattern.search(zh)) for pattern in sought)


def _texts(value: Any) -> Iterator[tuple[str, str]]:
    """Every text of a document in both languages, in order."""
    if isinstance(value, dict):
        if value.keys() == {"en", "zh"}:
            yield value["en"], value["zh"]
            return
        for name, item in value.items():
            if name != "checks":
                yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _window(text: str, sought: Sought, language: str) -> str:
    """So much of a text around the first thing found as fits on a line or two, at whole words."""
    width = _AROUND[language]
    places = [m.start() for pattern in sought if (m := pattern.search(text))]
    if not places:
        return ""
    middle = min(places)
    start, end = max(0, middle - width // 3), middle + width
    if start:
        space = text.find(" ", start, middle)
        start = space + 1 if space >= 0 else start
    if end < len(text):
        space = text.rfind(" ", middle, end)
        end = space if space > middle else end
    head, tail = "…" if start else "", "…" if end < len(text) else ""
    return f"{head}{text[start:end].strip()}{tail}"
