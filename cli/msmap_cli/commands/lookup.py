"""A name of either framework, and what it is in the other."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from msmap import model
from msmap.errors import MsmapError
from msmap.query import answers
from msmap.query.answers import Answer
from msmap.render import record as page
from msmap.render.layout import Line, line
from msmap_cli.opening import base
from msmap_cli.options import Form, Format, Lang, MindSpore
from msmap_cli.output import Leave, emit, fail, say, show
from msmap_cli.quick import language


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
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show what a PyTorch API becomes, or what a MindSpore API was.

    Exit status: 0 found, 1 not found, 2 wrong usage.
    """
    tongue = language(lang)
    with base(mindspore) as kb:
        try:
            found = answers.lookup(kb, read_names(names))
        except MsmapError as error:
            fail(str(error), 1)
    if form in ("json", "yaml"):
        emit(answers.plain(found), form)
    for number, answer in enumerate(found.answers):
        if not answer.found:
            _missing(answer)
        elif form == "markdown":
            _markdown(answer, tongue)
        elif form == "text":
            show([line()] if number else [])
            show(_text(answer, tongue))
    if not all(answer.found for answer in found.answers):
        raise Leave(1)


def read_names(names: list[str]) -> list[str]:
    """The names given, with ``-`` replaced by those on standard input."""
    found: list[str] = []
    for name in names:
        found += sys.stdin.read().split() if name == "-" else [name]
    if not found:
        fail("no names on standard input", 2)
    return found


def _text(answer: Answer, tongue: str) -> Iterator[Line]:
    if answer.record is not None:
        yield from page.record(answer.record, tongue)
    if answer.reverse is not None:
        yield from page.reverse(answer.reverse, tongue)


def _markdown(answer: Answer, tongue: str) -> None:
    from msmap.render import markdown

    if answer.record is not None:
        sys.stdout.write("\n".join(markdown.record(answer.record, tongue)) + "\n")
    if answer.reverse is not None:
        sys.stdout.write("\n".join(markdown.reverse(answer.reverse, tongue)) + "\n")


def _missing(answer: Answer) -> None:
    if answer.elsewhere is not None:
        text = _elsewhere(answer.elsewhere)
    elif answer.known:
        what = "no record maps to it" if answer.known.startswith("mindspore") else "not curated yet"
        text = f"{answer.known} is known, but {what}"
    else:
        text = f'"{answer.query}" is not a name of PyTorch or MindSpore'
    say(f"msmap: {text}")
    if answer.guides:
        say("guides: " + ", ".join(answer.guides))
    if answer.nearest:
        say("nearest: " + ", ".join(answer.nearest))


def _elsewhere(api: model.Api) -> str:
    """When MindSpore has a name that the release asked for lacks, and how to see it."""
    when = f" since {api.since}" if api.since else ""
    when += f" until {api.until}" if api.until else ""
    return f"MindSpore has {api.name} only{when}; look it up with `--mindspore {api.release}`"
