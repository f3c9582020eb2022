"""The cause of an error, and what to write."""

from __future__ import annotations

import shutil
import sys
from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Lang
from msmap_cli.output import Leave, say, tell
from msmap_cli.settings import language


def explain(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[MESSAGE | -- COMMAND...]",
            help="An error message, or a command to run; without, standard input.",
        ),
    ] = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Explain an error of MindSpore's: the cause, what to write, where to read more.

    A traceback comes on standard input, or from a command: `msmap explain -- python train.py` runs
    it as it is, and says what it knows below what the command says. In a script or notebook,
    `import msmap.explain; msmap.explain.install()` does the same. An error that isn't known gets
    nothing.

    Exit status: 0 explained, 1 not known; that of the command if there is one.
    """
    from msmap.query.names import answers

    view = View(language(lang))
    if command and (len(command) > 1 or shutil.which(command[0])):
        raise Leave(_run(command, view))
    with base() as kb:
        found = answers.explained(kb, command[0] if command else sys.stdin.read())
    tell(found, form, view, fields)
    if found.explanation is None:
        raise Leave(1)


def _run(command: list[str], view: View) -> int:
    """Run a command and explain what it says; its exit status."""
    from msmap import render
    from msmap.query.names import answers
    from msmap_cli import child

    status, said = child.run(command)
    with base() as kb:
        found = answers.explained(kb, said)
    told = [str(getattr(piece, "text", piece)) for piece in render.tell(found, "text", view)]
    if told:
        say("\n" + "\n".join(told))
    return status
