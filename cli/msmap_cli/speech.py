"""Messages and help of the command line in the reader's language."""

from __future__ import annotations

from msmap_cli import settings


def said(text: str, *values: object) -> str:
    """A text of the program with its values, in the language that is spoken."""
    if settings.language() != "zh":
        return text.format(*values) if values else text
    if not values:
        return spoken(text)
    from msmap_cli import chinese

    return chinese.TEXTS.get(text, text).format(*values)


def spoken(message: str) -> str:
    """A finished message in the language that is spoken: errors of the library are English.

    What has no Chinese stays as it is, such as what comes from a file, or is Chinese already.
    """
    if settings.language() != "zh" or not message.strip():
        return message
    from msmap import phrases
    from msmap_cli import chinese

    lines = message.split("\n")
    if len(lines) > 1 and message not in chinese.TEXTS:
        return "\n".join(map(spoken, lines))
    if message.startswith("msmap: "):
        return f"msmap: {spoken(message[7:])}"
    return phrases.told(message, chinese.TEXTS)
