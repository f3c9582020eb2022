"""What is printed on a terminal: styled, and wrapped to its width."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from msmap.render.layout import Markup, Piece


def show(pieces: Iterable[Piece]) -> None:
    """Print lines with their styles; texts that are complete stay as they are."""
    console = Console(highlight=False)
    for item in pieces:
        if isinstance(item, Markup):
            # It takes as long to import as all the rest.
            from rich.markdown import Markdown

            console.print(Markdown(item))
        elif isinstance(item, str):
            sys.stdout.write(item)
        elif not item.parts:
            # Padding around nothing would print nothing, not an empty line.
            console.print()
        else:
            console.print(Padding(Text.assemble(*item.parts), (0, 0, 0, item.indent), expand=False))
