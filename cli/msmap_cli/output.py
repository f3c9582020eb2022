"""How the command line speaks: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from msmap.render.layout import Line


class Leave(Exception):
    """Leave with an exit status after a message was said."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def show(lines: Iterable[Line]) -> None:
    """Print lines: styled and wrapped on a terminal, plain and unwrapped into a pipe."""
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        sys.stdout.write("".join(f"{item.text}\n" for item in lines))
        return
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(highlight=False)
    for item in lines:
        if not item.parts:
            # Padding around nothing would print nothing, not an empty line.
            console.print()
            continue
        console.print(Padding(Text.assemble(*item.parts), (0, 0, 0, item.indent), expand=False))


def emit(data: dict[str, Any], form: str) -> None:
    """Print data as JSON or YAML."""
    if form == "yaml":
        import yaml

        text = yaml.safe_dump(_listed(data), allow_unicode=True, sort_keys=False, width=100)
        sys.stdout.write(text)
        return
    text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    sys.stdout.write(text.encode("utf-8", "backslashreplace").decode("utf-8"))


def _listed(value: Any) -> Any:
    """Tuples as lists: YAML's plain form has none."""
    if isinstance(value, dict):
        return {key: _listed(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_listed(item) for item in value]
    return value


def say(message: str) -> None:
    """A message on standard error; what isn't Unicode in it is shown as escapes."""
    sys.stderr.write(message.encode("utf-8", "backslashreplace").decode("utf-8") + "\n")


def fail(message: str, status: int) -> NoReturn:
    """Say what went wrong and leave with an exit status."""
    say(f"msmap: {message}")
    raise Leave(status)


def progress(text: str) -> None:
    """One line that replaces itself, on a terminal only; an empty text clears it."""
    if not sys.stderr.isatty():
        return
    import shutil

    width = shutil.get_terminal_size().columns - 1
    sys.stderr.write("\r\x1b[2K" + text[:width])
    sys.stderr.flush()
