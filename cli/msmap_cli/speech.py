"""Messages and help of the command line in the reader's language, from gettext's catalogues."""

from __future__ import annotations

from msmap.messages import Message
from msmap_cli import settings

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from gettext import NullTranslations

_opened: list[NullTranslations] = []


def said(text: str, *values: object) -> str:
    """A text of the program with its values, in the language that is spoken."""
    return spoken(Message(text, *values))


def spoken(message: str) -> str:
    """A message in the language that is spoken.

    What has no translation stays as it is, such as what comes from a file, or is Chinese already.
    """
    if settings.language() != "zh" or not message.strip():
        return message
    if isinstance(message, Message) and message.values:
        values = (spoken(value) if isinstance(value, str) else value for value in message.values)
        return _catalogue().gettext(message.template).format(*values)
    text = _catalogue().gettext(message)
    if text != message:
        return text
    from msmap import phrases

    return phrases.chinese(message)


def _catalogue() -> NullTranslations:
    """The Chinese texts: read once, and only where Chinese is spoken."""
    if not _opened:
        import gettext
        from pathlib import Path

        _opened.append(gettext.translation("msmap", Path(__file__).parent / "locale", ["zh"]))
    return _opened[0]
