"""Records and guides that have the words."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap.query import answers
from msmap.render.layout import CODE, columns, line, pad
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang
from msmap_cli.output import Leave, emit, say, show
from msmap_cli.quick import language


def search(
    words: Annotated[list[str], typer.Argument(help="Words in English or Chinese, or names.")],
    limit: Annotated[int, typer.Option(min=1, help="How many results at most.")] = 20,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Find records and guides by words, best first."""
    text = " ".join(words)
    tongue = language(lang)
    with base() as kb:
        hits = kb.search(text, limit)
        near = () if hits else kb.nearest(text)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.Search(text, tuple(hits))), form)
    elif form == "markdown":
        for hit in hits:
            sys.stdout.write(f"- `{hit.name}`: {hit.title.get(tongue)}\n")
    else:
        rows = [(h.name if h.kind == "record" else f"guide {h.name}",) for h in hits]
        width = (columns(rows) or [0])[0]
        show(
            line((pad(row[0], width), CODE), "  ", hit.title.get(tongue))
            for row, hit in zip(rows, hits, strict=True)
        )
    if not hits:
        say(f'msmap: nothing found for "{text}"')
        if near:
            say("nearest: " + ", ".join(near))
        raise Leave(1)
