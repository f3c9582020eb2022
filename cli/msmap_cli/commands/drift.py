"""What changes between two releases."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Lang
from msmap_cli.output import tell
from msmap_cli.settings import language


def drift(
    before: Annotated[str, typer.Argument(metavar="FROM", help="A MindSpore release, as 2.8.")],
    after: Annotated[str, typer.Argument(metavar="TO", help="Another one.")],
    names: Annotated[
        int,
        typer.Option(min=0, help="How many names of each kind to list that no record maps to."),
    ] = 0,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Show what changes between two MindSpore releases: records, names, signatures.

    Exit status: 0 whatever changes, 2 if a release is not known.
    """
    from msmap.query.drift import drift as query

    with base(before) as one, base(after) as other:
        found = query.between(one, other)
    tell(found, form, View(language(lang), names=names), fields)
