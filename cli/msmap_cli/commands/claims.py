"""What documents state, and what running it showed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap import vocabulary
from msmap.errors import MsmapError
from msmap.query import answers
from msmap.render import claims as render
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang, known
from msmap_cli.output import emit, fail, show
from msmap_cli.quick import language


def claims(
    topic: Annotated[str | None, typer.Argument(help="A topic; all if left out.")] = None,
    verdict: Annotated[
        str | None, typer.Option(help="holds, held_until, refuted or not_testable.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="The document, by its id.")] = None,
    about: Annotated[str | None, typer.Option(help="A name of either framework.")] = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """List statements of MindSpore's documents, each with what running it showed.

    Exit status: 0 found, 1 nothing fits, 2 wrong usage.
    """
    tongue = language(lang)
    known("verdict", verdict, vocabulary.VERDICTS)
    with base() as kb:
        try:
            found = kb.claims(topic=topic, verdict=verdict, source=source, about=about)
        except MsmapError as error:
            fail(str(error), 1)
        sources = kb.sources()
    if form in ("json", "yaml"):
        told = answers.Claims(tuple(found), tuple(sources))
        emit(answers.plain(told), form)
    elif form == "markdown":
        sys.stdout.write("\n".join(render.markdown(found, sources, tongue)) + "\n")
    else:
        show(render.text(found, tongue))
    if not found:
        fail("no statement fits; `msmap claims` without options lists all", 1)
