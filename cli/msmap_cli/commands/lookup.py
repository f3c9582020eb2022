"""A name of either framework, and what it is in the other."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from msmap.render import View
from msmap_cli.opening import base
from msmap_cli.options import Fields, Form, Full, Lang, MindSpore, OnDevice
from msmap_cli.output import Leave, fail, tell, write_error
from msmap_cli.settings import language

_NAME = re.compile(r"[\w.*?]+(?:\(\))?")


def _complete(incomplete: str) -> list[str]:
    with base() as kb:
        return kb.completions(incomplete)


def lookup(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Names in any usual spelling; - reads names from standard input.",
            autocompletion=_complete,
        ),
    ],
    device: OnDevice = None,
    mindspore: MindSpore = None,
    full: Full = False,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Show what a PyTorch API becomes, or what a MindSpore API was.

    What is pasted will do: a call, of which the port is shown too, a method of a variable, an
    import, an error message, a pattern such as torch.nn.Drop*. The word lookup may be left out.

    A name without a record has what was found by running, marked so, or why nothing was run.

    Exit status: 0 found, 1 not found, 2 wrong usage.
    """
    from msmap.query.names import lookup as understood
    from msmap.render import missing

    view = View(language(lang), device or "", full=full)
    with base(mindspore, device=device) as kb:
        found = understood.lookup(kb, read_names(names))
    tell(found, form, view, fields)
    for answer in found.answers:
        if not answer.found:
            said = missing.lines(
                answer.query, view.language, answer.known, answer.elsewhere, answer.guides,
                answer.nearest,
            )  # fmt: skip
            write_error("msmap: " + "\n".join(said))
    if not all(answer.found for answer in found.answers):
        raise Leave(1)


def read_names(names: list[str]) -> list[str]:
    """The names given, with ``-`` replaced by those on standard input."""
    if names[0] in ("import", "from"):
        return [" ".join(names)]
    found: list[str] = []
    for name in names:
        found += _pasted(sys.stdin.read()) if name == "-" else [name]
    if not found:
        fail("no names on standard input", 2)
    return found


def _pasted(text: str) -> Iterator[str]:
    """Names line by line; a line of names alone has one a word, any other line is code."""
    for line in filter(None, map(str.strip, text.splitlines())):
        words = line.split()
        names = words[0] not in ("import", "from") and all(map(_NAME.fullmatch, words))
        yield from words if names else [line]
