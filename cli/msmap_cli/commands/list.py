"""Records that fit filters."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from msmap import vocabulary
from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Device, Form, Lang, MindSpore, known
from msmap_cli.output import fail, tell
from msmap_cli.quick import language


def list_records(
    namespace: Annotated[
        str | None, typer.Option(help="Such as torch.nn, with what is below.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Such as default_differs.")] = None,
    verification: Annotated[str | None, typer.Option(help="Such as verified.")] = None,
    device: Annotated[
        Device | None,
        typer.Option(case_sensitive=False, help="Where the best target of it runs or ran."),
    ] = None,
    mindspore: MindSpore = None,
    form: Form = "text",
    lang: Lang = None,
) -> None:
    """List records, one a line; filters add up.

    $MSMAP_DEVICE shows the targets that are best there and leaves nothing out.
    """
    from msmap.query import answers

    known("category", category, vocabulary.CATEGORIES)
    known("verification", verification, vocabulary.VERIFICATIONS)
    with base(mindspore, device=device or os.environ.get("MSMAP_DEVICE")) as kb:
        found = kb.records(
            namespace=namespace, category=category, verification=verification, device=device
        )
    tell(answers.List(tuple(found)), form, View(language(lang)))
    if not found:
        fail("no record fits", 1)
