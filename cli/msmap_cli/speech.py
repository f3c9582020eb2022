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
    from msmap_cli import chinese

    if message in chinese.TEXTS:
        return chinese.TEXTS[message]
    lines = message.split("\n")
    if len(lines) > 1:
        return "\n".join(map(spoken, lines))
    if message.startswith("msmap: "):
        return f"msmap: {spoken(message[7:])}"
    # What has most words of its own fits best.
    for text in sorted(chinese.TEXTS, key=_own, reverse=True):
        values = _values(text.split("{}"), message) if "{}" in text else None
        if values is not None:
            return _filled(chinese.TEXTS[text], [spoken(value) for value in values])
    return message


def _filled(text: str, values: list[str]) -> str:
    """A text with its values, which may stand in another order; other braces are its own."""
    for number, value in enumerate(values):
        slot = f"{{{number}}}"
        text = text.replace(slot, value) if slot in text else text.replace("{}", value, 1)
    return text


def _own(text: str) -> int:
    return len(text) - 2 * text.count("{}")


def _values(parts: list[str], message: str) -> list[str] | None:
    """What stands between the parts of a text in a message; None if it isn't that text."""
    first, *rest = parts
    if not message.startswith(first) or not message.endswith(parts[-1]):
        return None
    values: list[str] = []
    place = len(first)
    for number, part in enumerate(rest, 1):
        last = number == len(rest)
        end = len(message) - len(part) if last else message.find(part, place + 1)
        if end <= place:
            return None
        values.append(message[place:end])
        place = end + len(part)
    return values
