"""A guide, or all of them by name."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Full, Lang
from msmap_cli.output import tell
from msmap_cli.settings import language


def guide(
    name: Annotated[str | None, typer.Argument(help="A guide; all are listed if left out.")] = None,
    full: Full = False,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Show a guide on a topic that is no single API."""
    from msmap.query.names.answers import Guide, Guides

    view = View(language(lang), full=full)
    with base(language=view.language, kind="other") as kb:
        found = Guides(tuple(kb.guides())) if name is None else Guide((kb.guide(name),))
    tell(found, form, view, fields)
