"""A call or code, rewritten; or files and folders."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from msmap.messages import Message
from msmap.render import View
from msmap_cli.opening import base, handed
from msmap_cli.options import (
    Cached,
    Exclude,
    Fields,
    FileJobs,
    FileScheduler,
    Form,
    Lang,
    MindSpore,
    OnDevice,
    few_workers,
)
from msmap_cli.output import Leave, fail, say, tell
from msmap_cli.settings import language

_SUFFIXES = (".py", ".ipynb", "/", os.sep)


def port(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...|CODE|-",
            help="Files and folders, or one piece of PyTorch code, or - for code on standard "
            "input.",
        ),
    ],
    probed: Annotated[
        bool,
        typer.Option(
            "--probed", help="Where there is no record, use what a machine found by running it."
        ),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Of paths, show what would change; so without --write.")
    ] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Replace the files, each whole or not at all.")
    ] = False,
    dirty: Annotated[
        bool,
        typer.Option("--dirty", help="With --write, also files that git doesn't have as they are."),
    ] = False,
    exclude: Exclude = None,
    jobs: FileJobs = None,
    scheduler: FileScheduler = None,
    cached: Cached = True,
    device: OnDevice = None,
    mindspore: MindSpore = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Rewrite PyTorch code for MindSpore; say of what can't be carried over where and why.

    What exists, ends in .py, .ipynb or /, or is one of several arguments, is a path; all else is
    code. A folder means all Python and notebooks below but for what git ignores. Above what is left
    as it was a comment says why; a second run changes nothing.

    The diff is for `patch -p1` or `git apply`: it alone is on standard output, and what there is to
    know on standard error.

    Exit status: 0 ported, 1 some of it refused and left as it was, or not read, 2 nothing could be
    read.
    """
    view = View(language(lang))
    if "-" in what and len(what) > 1:
        fail("-: code on standard input stands alone", 2)
    few_workers(scheduler, jobs)
    if len(what) > 1 or _is_path(what[0]):
        from msmap_cli import porting

        asked = porting.Asked(
            tuple(what), probed, diff, write, dirty, tuple(exclude or ()), jobs, cached, scheduler
        )
        with base(mindspore, device=device) as kb, handed(scheduler):
            porting.run(kb, asked, form if fields is None else "json", view, fields)
        return
    if write or dirty or exclude or scheduler is not None:
        fail("--write, --dirty, --exclude and --scheduler are for files, and code is given", 2)
    _code(_read() if what[0] == "-" else what[0], probed, device, mindspore, form, view, fields)


def _is_path(given: str) -> bool:
    return given != "-" and (given.endswith(_SUFFIXES) or os.path.lexists(given))


def _code(
    source: str,
    probed: bool,
    device: OnDevice,
    mindspore: MindSpore,
    form: Form,
    view: View,
    fields: Fields,
) -> None:
    """Code on the command line, ported."""
    from msmap.port.attempt import unreadable
    from msmap.query.base import porting
    from msmap.query.names import answers

    with base(mindspore, device=device) as kb:
        done = porting.attempt(kb, source, probed)
        calls = () if form == "text" and fields is None else porting.calls(kb, source, probed)
    if (refused := unreadable(done)) is not None:
        fail(refused.reason.get(view.language), 2)
    tell(answers.Ported(done, calls), form, view, fields)
    for note in done.notes:
        say(Message("note: {}", note.get(view.language)))
    for refusal in done.refusals:
        say(
            Message(
                "{}:{}: {}", refusal.line, refusal.column + 1, refusal.reason.get(view.language)
            )
        )
    if done.refusals:
        raise Leave(1)


def _read() -> str:
    """The code on standard input, its line breaks as they are."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(newline="")
    return sys.stdin.read()
