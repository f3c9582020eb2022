"""Texts of records as they are shown: names in them set as code, which break at dots alone."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from markupsafe import Markup, escape

from datasette_msmap.web.unseen import clean

# A whole word, which may be the name of a parameter.
_WORD = r"(?<![\w.'’-])\w+(?![\w'’-])"
_NAME = r"[A-Za-z_]\w*"
_CALLED = r"\((?:[^()\n]|\([^()\n]*\)){0,60}\)"
_PART = r"\[[^\[\]\n]{0,30}\]"
_CODE = re.compile(
    # What is written as code already.
    r"`(?P<told>[^`\n]+)`"
    # Dotted names, calls, and names that no English word looks like.
    rf"|(?P<name>(?<![\w./@-])(?:"
    # What is written into a part, or joined with what is there.
    rf"(?:{_NAME}\.)*{_NAME}(?:{_PART} =|(?:{_PART})? (?:[-+*/%@|&^]|\*\*|//)=)"
    rf"(?: (?:{_NAME}\.)*{_NAME}{_CALLED}| -?[\w.]*\w)?"
    # What is set to a call stands together with it.
    rf"|(?:{_NAME}(?:{_PART})? = )?(?:{_NAME}\.)+{_NAME}{_CALLED}"
    rf"|(?:{_NAME}\.)+{_NAME}"
    rf"|{_NAME}{_PART}|[a-z]\w*_(?![\w*])"
    rf"|{_NAME}{_CALLED}(?:\.{_NAME}(?:{_CALLED})?)*"
    rf"|{_NAME}=(?:'[^'\n]*'|\"[^\"\n]*\"|[\[(][^\n()\[\]]*[\])]|-?[\w.+-]*\w)"
    rf"|(?=\w*[A-Za-z]\w*)\w*[a-zA-Z0-9]_\w+|__\w+__"
    rf"|(?:True|False|None|NaN|nan)"
    rf"|[A-Z]\w*(?:Error|Warning|Exception)"
    rf"|[A-Z][a-z]+[A-Z]\w*"
    rf")(?!\w))|(?P<word>{_WORD})"
)
# Names of people's things that look like a class.
_WORDS = frozenset(
    ("MindSpore", "PyTorch", "NumPy", "TensorFlow", "GitHub", "OpenMP", "OpenCL", "PyNative",
     "DataLoader", "JavaScript", "CANN", "e.g", "i.e")
)  # fmt: skip


@lru_cache(maxsize=8000)
def told(text: str, names: tuple[str, ...] = ()) -> Markup:
    """A text with names as code; ``names`` are words that are names too, such as parameters."""
    text = clean(text)
    found: list[str] = []
    last = 0
    for match in _CODE.finditer(text):
        name = match["told"] or match.group()
        if (
            (match["word"] and name not in names)
            or name in _WORDS
            or (match["told"] is None and _common(name, names))
        ):
            continue
        found += [str(escape(text[last : match.start()])), f"<code>{name_of(name)}</code>"]
        last = match.end()
    return Markup("".join([*found, str(escape(text[last:]))]))


def _common(name: str, names: Collection[str]) -> bool:
    """Whether something with a bracket behind it is a word: ``values (or none)`` is no call."""
    return name.partition(".")[0] in _WORDS and name not in names


@lru_cache(maxsize=20_000)
def name_of(name: str) -> Markup:
    """A name or an address that breaks behind its dots, slashes and underscores alone if it can."""
    name = clean(name)
    if len(name) < 24:
        return escape(name)
    return Markup(re.sub(r"([.(=/]|(?<=[A-Za-z0-9])_)(?=[A-Za-z])", r"\1<wbr>", str(escape(name))))


def expression(text: str) -> Markup:
    """A composition, with what is filled in set apart from what is code."""
    pieces = re.split(r"\{(\w+)\}", clean(text))
    return Markup("").join(
        Markup("<var>{}</var>").format(piece) if number % 2 else name_of(piece)
        for number, piece in enumerate(pieces)
    )


@lru_cache(maxsize=1000)
def composed(text: str) -> tuple[str, ...]:
    """The names that a composition calls, if they are few enough to stand in a heading."""
    found = tuple(dict.fromkeys(re.findall(r"\bmindspore(?:\.\w+)+", text)))
    return found if len(found) < 3 else ()
