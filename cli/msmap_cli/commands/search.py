"""Records and guides that have the words."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Form, Lang
from msmap_cli.output import Leave, say, tell
from msmap_cli.quick import language


def search(
    words: Annotated[list[str], typer.Argument(help="Words in English or Chinese, or names.")],
    limit: Annotated[int, typer.Option(min=1, help="How many results at most.")] = 20,
    form: Form = "text",
    lang: Lang = None,
) -> None:
    """Find records and guides by words, best first."""
    from msmap.query import answers

    text = " ".join(words)
    with base() as kb:
        hits = tuple(kb.search(text, limit))
        near = () if hits else kb.nearest(text)
    tell(answers.Search(text, hits), form, View(language(lang)))
    if not hits:
        say(f'msmap: nothing found for "{text}"')
        if near:
            say("nearest: " + ", ".join(near))
        raise Leave(1)
