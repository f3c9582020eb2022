"""Records, guides and probes that a text leads to."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from msmap.messages import Message
from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Lang
from msmap_cli.output import Leave, report, say, tell
from msmap_cli.settings import language

Kind = Literal["record", "guide", "probe"]


def search(
    words: Annotated[list[str], typer.Argument(help="Words in English or Chinese, or names.")],
    limit: Annotated[int, typer.Option(min=1, help="How many results at most.")] = 20,
    kind: Annotated[Kind | None, typer.Option(help="Only results of this kind.")] = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Find records and guides by words, a pasted name or an error message, best first.

    Exit status: 0 found, 1 nothing but guesses, 2 wrong usage.
    """
    from msmap.query.names import answers

    text = " ".join(words)
    with base() as kb:
        found = answers.search(kb, text, limit, kind)
    tell(found, form, View(language(lang)), fields)
    guesses = [hit.name for hit in found.hits if hit.by == "guess"]
    if len(guesses) == len(found.hits):
        report(Message('nothing found for "{}"', text))
    if guesses:
        say(Message("nearest: {}", ", ".join(guesses)))
    if len(guesses) == len(found.hits):
        raise Leave(1)
