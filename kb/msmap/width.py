"""How wide a text is on a terminal; imports next to nothing, as a cold lookup waits for it."""

from __future__ import annotations


def cells(text: str) -> int:
    """How many terminal cells a text takes: a Chinese character takes two."""
    if text.isascii():
        return len(text)
    found = _known.get(text)
    if found is None:
        from unicodedata import east_asian_width

        found = sum([2 if east_asian_width(c) in "WF" else 1 for c in text])
        if len(_known) < _MOST:
            _known[text] = found
    return found


# The words of vocabularies stand in most tables.
_known: dict[str, int] = {}
_MOST = 1 << 12
