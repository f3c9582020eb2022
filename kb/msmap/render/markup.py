"""Texts as Markdown: nothing that a person or a file brings is markup but code in backticks."""

from __future__ import annotations

import re

_TICKS = re.compile(r"`+")
_SIGNS = re.compile(r"[\\`*_\[\]<>|#!]")
# In a sentence the others are no markup; escapes would only be in the way.
_IN_SENTENCES = re.compile(r"[*<\[\]]")


def fenced(text: str, language: str = "python") -> str:
    """Code as a block that nothing in it ends."""
    fence = "`" * max(3, max(map(len, _TICKS.findall(text)), default=0) + 1)
    return f"{fence}{language}\n{text.removesuffix(chr(10))}\n{fence}"


def code(text: str) -> str:
    """A text on a line as it stands, letter by letter."""
    text = " ".join(text.split()) or "-"
    ticks = "`" * (max(map(len, _TICKS.findall(text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def plain(text: str) -> str:
    """A text in which nothing is markup."""
    return _SIGNS.sub(r"\\\g<0>", " ".join(text.split()))


def inline(text: str) -> str:
    """A sentence in which code between single backticks is markup, and nothing else."""
    text = " ".join(text.split())
    # Where one reader might pair backticks as another doesn't, they are none.
    if "\\" in text or "``" in text or text.count("`") % 2:
        return plain(text)
    parts = text.split("`")
    parts[::2] = [_IN_SENTENCES.sub(r"\\\g<0>", part) for part in parts[::2]]
    return "`".join(parts)
