"""A call or code, rewritten."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap.port.attempt import attempt, unreadable
from msmap.query import answers
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang, MindSpore
from msmap_cli.output import Leave, emit, fail, say
from msmap_cli.quick import language


def port(
    code: Annotated[str, typer.Argument(help="A PyTorch call, or - for code on standard input.")],
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Rewrite a PyTorch call for MindSpore, or say why it can't be carried over.

    Exit status: 0 ported, 1 refused, 2 not Python.
    """
    tongue = language(lang)
    source = sys.stdin.read() if code == "-" else code
    with base(mindspore) as kb:
        done = attempt(source, kb)
    if (refusal := unreadable(done)) is not None:
        fail(refusal.reason.en, 2)
    if form in ("json", "yaml"):
        emit(answers.plain(answers.Ported(done)), form)
    elif done.code is not None:
        text = done.code if done.code.endswith("\n") else done.code + "\n"
        sys.stdout.write(f"```python\n{text}```\n" if form == "markdown" else text)
    for note in done.notes:
        say(f"note: {note.get(tongue)}")
    for refusal in done.refusals:
        say(f"{refusal.line}:{refusal.column + 1}: {refusal.reason.get(tongue)}")
    if done.code is None:
        raise Leave(1)
