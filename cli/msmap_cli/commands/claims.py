"""What documents state, and what running it showed."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap import vocabulary
from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Lang, known
from msmap_cli.output import fail, tell
from msmap_cli.settings import language


def claims(
    topic: Annotated[str | None, typer.Argument(help="A topic; all if left out.")] = None,
    verdict: Annotated[
        str | None, typer.Option(help="holds, held_until, refuted or not_testable.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="The document, by its id.")] = None,
    about: Annotated[str | None, typer.Option(help="A name of either framework.")] = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """List statements of MindSpore's documents, each with what running it showed.

    Exit status: 0 found, 1 nothing fits, 2 wrong usage.
    """
    from msmap.query import answers

    view = View(language(lang))
    known("verdict", verdict, vocabulary.VERDICTS)
    with base(language=view.language, kind="other") as kb:
        found = tuple(kb.claims(topic=topic, verdict=verdict, source=source, about=about))
        sources = tuple(kb.sources())
    tell(answers.Claims(found, sources), form, view, fields)
    if not found:
        fail("no statement fits; `msmap claims` without options lists all", 1)
