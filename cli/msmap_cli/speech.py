"""Messages and help of the command line in the reader's language."""

from __future__ import annotations

from msmap_cli import settings


def said(text: str, *values: object) -> str:
    """A text of the program with its values, in the language that is spoken.

    What has no Chinese stays English: a test sees to it that all has.
    """
    if settings.language() == "zh":
        from msmap_cli import chinese

        text = chinese.TEXTS.get(text, text)
    return text.format(*values) if values else text
