"""Records that fit filters."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from msmap import vocabulary
from msmap.messages import Message
from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Device, Fields, Form, Lang, MindSpore, known
from msmap_cli.output import fail, tell
from msmap_cli.settings import language


def list_records(
    namespace: Annotated[
        str | None, typer.Option(help="Such as torch.nn, with what is below.")
    ] = None,
    basis: Annotated[
        vocabulary.Basis,
        typer.Option(help="Records; or what was found by running; or why nothing was run."),
    ] = "curated",
    category: Annotated[str | None, typer.Option(help="Such as default_differs.")] = None,
    verification: Annotated[str | None, typer.Option(help="Such as verified.")] = None,
    device: Annotated[
        Device | None,
        typer.Option(case_sensitive=False, help="Where the best target of it runs or ran."),
    ] = None,
    mindspore: MindSpore = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """List records, one a line, or names without one; filters add up.

    $MSMAP_DEVICE shows the targets that are best there and leaves nothing out.
    """
    from msmap.query.names import answers

    known("category", category, vocabulary.CATEGORIES)
    known("verification", verification, vocabulary.VERIFICATIONS)
    if basis != "curated" and (category or verification):
        fail("only records have a category and a verification; --basis curated lists them", 2)
    with base(mindspore, device=device or os.environ.get("MSMAP_DEVICE")) as kb:
        if basis == "curated":
            found = answers.List(tuple(kb.records(namespace, category, verification, device)))
        else:
            probes = (s for s in kb.probes(namespace) if s.basis == basis)
            listed = (s for s in probes if device is None or device in s.runs_on)
            found = answers.List((), tuple(listed))
    tell(found, form, View(language(lang)), fields)
    if not (found.records or found.probes):
        fail(Message("no record fits") if basis == "curated" else Message("no name fits"), 1)
