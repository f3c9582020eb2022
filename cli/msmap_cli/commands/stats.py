"""How much there is of everything."""

from __future__ import annotations

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Lang
from msmap_cli.output import tell
from msmap_cli.settings import language


def stats(form: Form = "text", fields: Fields = None, lang: Lang = None) -> None:
    """Count names, records, checks and outcomes."""
    from msmap.query.names import answers

    with base() as kb:
        found = answers.Stats(**kb.stats())
    tell(found, form, View(language(lang)), fields)
