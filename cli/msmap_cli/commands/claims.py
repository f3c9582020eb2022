"""What documents state, and what running it showed."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Lang, known
from msmap_cli.output import fail, tell
from msmap_cli.settings import language


def claims(
    topic: Annotated[str | None, typer.Argument(help="A topic; all if left out.")] = None,
    verdict: Annotated[
        str | None,
        typer.Option(help="holds, partly (tables), held_until, refuted or not_testable."),
    ] = None,
    source: Annotated[str | None, typer.Option(help="The document or table, by its id.")] = None,
    about: Annotated[str | None, typer.Option(help="A name of either framework.")] = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """List statements of MindSpore's documents, each with what running it showed.

    With --source or --about also rows of published mapping tables, judged by runs of each pair.

    Exit status: 0 found, 1 nothing fits, 2 wrong usage.
    """
    from msmap.query.names.statements import statements
    from msmap.tabled import ROW_VERDICTS

    view = View(language(lang))
    known("verdict", verdict, ROW_VERDICTS)
    with base(language=view.language, kind="other") as kb:
        found = statements(kb, verdict, source, about, topic)
    tell(found, form, view, fields)
    if not (found.claims or found.rows):
        fail("no statement fits; `msmap claims` without options lists all", 1)
