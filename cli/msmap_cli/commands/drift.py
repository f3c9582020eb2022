"""What changes between two releases."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap.query import answers
from msmap.query import drift as query
from msmap.render import drift as render
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang
from msmap_cli.output import emit, show
from msmap_cli.quick import language


def drift(
    before: Annotated[str, typer.Argument(metavar="FROM", help="A MindSpore release, as 2.8.")],
    after: Annotated[str, typer.Argument(metavar="TO", help="Another one.")],
    names: Annotated[
        int,
        typer.Option(min=0, help="How many names of each kind to list that no record maps to."),
    ] = 0,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show what changes between two MindSpore releases: records, names, signatures.

    Exit status: 0 whatever changes, 2 if a release is not known.
    """
    tongue = language(lang)
    with base(before) as one, base(after) as other:
        found = query.between(one, other)
    if form in ("json", "yaml"):
        emit(answers.plain(found), form)
    elif form == "markdown":
        sys.stdout.writelines(f"{text}\n" for text in render.markdown(found, names, tongue))
    else:
        show(render.text(found, names, tongue))
