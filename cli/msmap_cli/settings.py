"""How the command line speaks: what options that stand anywhere and the environment ask for.

Imports next to nothing: every command reads it first.
"""

from __future__ import annotations

import os
import sys

# From typing it would cost a tenth of a cold start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

WHEN = ("auto", "always", "never")
LANGUAGES = ("en", "zh")
# Options with a value that stand before a command, too.
VALUED = ("--color", "--lang", "-l")

_chosen: dict[str, str] = {}


def read(arguments: Iterable[str]) -> None:
    """Take what the arguments choose; what means nothing is left for the command to refuse."""
    _chosen.clear()
    awaited = ""
    for argument in arguments:
        if argument == "--":
            return
        option, equals, value = argument.partition("=")
        if awaited:
            _choose(awaited, argument)
            awaited = ""
        elif argument == "--no-pager":
            _chosen["pager"] = "never"
        elif option in VALUED and not equals:
            awaited = option
        elif option in VALUED:
            _choose(option, value)


def _choose(option: str, value: str) -> None:
    name, values = ("color", WHEN) if option == "--color" else ("language", LANGUAGES)
    if value in values:
        _chosen[name] = value


def language(chosen: str | None = None) -> str:
    """The language to speak: the one chosen, else $MSMAP_LANG, else that of the locale."""
    found = chosen or _chosen.get("language")
    if found:
        return found
    for name in ("MSMAP_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if found := os.environ.get(name):
            return "zh" if found.lower().startswith("zh") else "en"
    return "en"


def styled(stream: IO[str] | None = None) -> bool:
    """Whether to write styles: --color, else NO_COLOR, else FORCE_COLOR, else on a terminal."""
    color = _chosen.get("color", "auto")
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return on_terminal(stream)


def on_terminal(stream: IO[str] | None = None) -> bool:
    """Whether a stream, standard output if none is given, is a terminal that can do more."""
    return (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"


def drawn(stream: IO[str] | None = None) -> bool:
    """Whether texts are drawn row by row: on a terminal, and wherever styles are wanted."""
    return on_terminal(stream) or styled(stream)


def pager() -> str:
    """The command that shows what is longer than the screen, "" for none."""
    if _chosen.get("pager") == "never" or not on_terminal():
        return ""
    for name in ("MSMAP_PAGER", "PAGER"):
        if (found := os.environ.get(name)) is not None:
            return "" if found.strip() in ("", "cat") else found
    return "less"
