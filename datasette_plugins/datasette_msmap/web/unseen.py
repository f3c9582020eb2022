"""Characters that turn other text around or hide it: none of them is shown."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

# What reorders, breaks or hides text: marks of direction, Unicode's own line ends, and control
# characters but tab and newline.
_UNSEEN = {
    ord(character): None
    for character in "\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
} | dict.fromkeys([*range(9), 11, 12, *range(14, 32), 127])


def clean(value: Any) -> Any:
    """Text without characters that reorder or hide other text."""
    # None of these is printable, and most text is.
    if isinstance(value, str) and not (value.isprintable() or isinstance(value, Markup)):
        return value.translate(_UNSEEN)
    return value
