"""A call or code, rewritten."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Form, Lang, MindSpore, OnDevice
from msmap_cli.output import Leave, fail, say, tell
from msmap_cli.quick import language


def port(
    code: Annotated[str, typer.Argument(help="A PyTorch call, or - for code on standard input.")],
    probed: Annotated[
        bool,
        typer.Option(
            "--probed", help="Where there is no record, use what a machine found by running it."
        ),
    ] = False,
    device: OnDevice = None,
    mindspore: MindSpore = None,
    form: Form = "text",
    lang: Lang = None,
) -> None:
    """Rewrite PyTorch code for MindSpore; say of what can't be carried over where and why.

    Exit status: 0 ported, 1 some of it refused and left as it was, 2 not Python.
    """
    from msmap.port.attempt import unreadable
    from msmap.query import answers, porting

    view = View(language(lang))
    if code.endswith(".py") and os.path.exists(code):
        fail(f"{code} is a file, and code is asked for: msmap port - < {code}", 2)
    source = _read() if code == "-" else code
    with base(mindspore, device=device) as kb:
        done = porting.attempt(kb, source, probed)
    if (refused := unreadable(done)) is not None:
        fail(refused.reason.get(view.language), 2)
    tell(answers.Ported(done), form, view)
    for note in done.notes:
        say(f"note: {note.get(view.language)}")
    for refusal in done.refusals:
        say(f"{refusal.line}:{refusal.column + 1}: {refusal.reason.get(view.language)}")
    if done.refusals:
        raise Leave(1)


def _read() -> str:
    """The code on standard input, its line breaks as they are."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(newline="")
    return sys.stdin.read()
