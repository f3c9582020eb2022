"""A guide, or all of them by name."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap.errors import MsmapError
from msmap.query import answers
from msmap.render.layout import CODE, line, pad
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang
from msmap_cli.output import emit, fail, show
from msmap_cli.quick import language


def guide(
    name: Annotated[str | None, typer.Argument(help="A guide; all are listed if left out.")] = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show a guide on a topic that is no single API."""
    tongue = language(lang)
    with base() as kb:
        try:
            found = kb.guides() if name is None else [kb.guide(name)]
        except MsmapError as error:
            fail(str(error), 1)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.Guides(tuple(found))), form)
        return
    if name is None:
        width = max((len(g.id) for g in found), default=0)
        show(line((pad(g.id, width), CODE), "  ", g.title.get(tongue)) for g in found)
        return
    from msmap.render import markdown

    text = "\n".join(markdown.guide(found[0], tongue))
    if form == "text" and sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        sys.stdout.write(text + "\n")
