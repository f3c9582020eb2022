"""Records that fit filters."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap import vocabulary
from msmap.query import answers
from msmap.render.layout import columns, line, pad
from msmap_cli.opening import base
from msmap_cli.options import Device, Form, Format, Lang, MindSpore, known
from msmap_cli.output import Leave, emit, say, show


def list_records(
    namespace: Annotated[
        str | None, typer.Option(help="Such as torch.nn, with what is below.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Such as default_differs.")] = None,
    verification: Annotated[str | None, typer.Option(help="Such as verified.")] = None,
    device: Annotated[Device | None, typer.Option(help="Where the best target runs.")] = None,
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """List records, one a line; filters add up."""
    filters = {
        "namespace": namespace,
        "category": category,
        "verification": verification,
        "device": device.value if device else None,
    }
    known("category", filters["category"], vocabulary.CATEGORIES)
    known("verification", filters["verification"], vocabulary.VERIFICATIONS)
    with base(mindspore) as kb:
        found = kb.records(**filters)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.List(tuple(found))), form)
        return
    rows = [
        (s.torch, s.mindspore or "-", s.category, s.verification, ",".join(s.runs_on) or "-")
        for s in found
    ]
    if form == "markdown":
        sys.stdout.write("| PyTorch | MindSpore | | | |\n|---|---|---|---|---|\n")
        for row in rows:
            sys.stdout.write("| `" + "` | `".join(c.replace("|", "\\|") for c in row) + "` |\n")
    elif sys.stdout.isatty():
        widths = columns(rows)
        show(
            line(*(pad(c, min(w, 44)) + "  " for c, w in zip(row, widths, strict=True)))
            for row in rows
        )
    else:
        sys.stdout.write("".join("\t".join(row) + "\n" for row in rows))
    if not rows:
        say("msmap: no record fits")
        raise Leave(1)
