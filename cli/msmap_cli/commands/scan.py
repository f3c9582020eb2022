"""Files and folders, and what in them is PyTorch's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

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
    Lang,
    MindSpore,
    OnDevice,
    few_workers,
)
from msmap_cli.output import Leave, fail, progress, reason, report, tell, write
from msmap_cli.settings import language

if TYPE_CHECKING:
    from msmap.scan.report import Report
    from msmap.scan.settings import Settings

# Modules of msmap.render, but for `json`.
Form = Literal["text", "json", "sarif", "html", "markdown", "csv", "github"]


def scan(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...", help="Files and folders; this folder if left out.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORDS",
            help="Exit status 1 if there is any of these, between commas: care, missing, unclear,"
            " possible, unknown, any, or a rule.",
        ),
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option(help="Findings of this file count no more.", dir_okay=False),
    ] = None,
    write_baseline: Annotated[
        Path | None,
        typer.Option(help="Keep all findings in this file, as a baseline.", dir_okay=False),
    ] = None,
    exclude: Exclude = None,
    every: Annotated[
        bool, typer.Option("--all", help="List every place, and all that is said of it.")
    ] = False,
    device: OnDevice = None,
    mindspore: MindSpore = None,
    jobs: FileJobs = None,
    scheduler: FileScheduler = None,
    cache: Cached = True,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print the result.")] = "text",
    fields: Fields = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to a file.", dir_okay=False)
    ] = None,
    lang: Lang = None,
) -> None:  # fmt: skip
    """Tell what in files and folders is PyTorch's, and what becomes of it; nothing is written.

    Python files and notebooks are read. Options that are left out are those of [tool.msmap] in the
    nearest pyproject.toml: exclude, fail-on, device, mindspore, baseline.

    Exit status: 0 nothing that --fail-on names, 1 something, or a file can't be read, 2 wrong
    usage.
    """
    from msmap.query.projects import scan as scanning
    from msmap.scan import score

    few_workers(scheduler, jobs)
    settings = _settings()
    words = _words(fail_on if fail_on is not None else settings.fail_on)
    known = _known(baseline or settings.baseline)
    with (
        base(mindspore or settings.mindspore, device=device or settings.device) as kb,
        handed(scheduler),
    ):
        found = scanning.scan(
            kb, paths or [Path()], (*settings.exclude, *(exclude or ())), known, jobs, cache,
            lambda done, every: progress(Message("{:,} of {:,} files", done, every)), scheduler,
        )  # fmt: skip
    progress("")
    view = View(language(lang), kb.device, places=None if every else 3)
    if output is None:
        tell(found, form, view, fields)
    else:
        write(output, found, form, view, fields)
    if write_baseline is not None:
        _keep(write_baseline, found)
    if score.failing(found.sites, words) or found.unread:
        raise Leave(1)


def _settings() -> Settings:
    """What the project asks for that this folder is in."""
    from msmap.scan import settings

    try:
        return settings.find(Path())
    except settings.BadSettings as error:
        fail(Message("{}", error), 2)


def _words(given: Iterable[str]) -> list[str]:
    """What fails, word by word; leave with status 2 if a word means nothing."""
    from msmap.scan.terms import RULES, WORDS

    words = [word.strip() for text in given for word in text.split(",") if word.strip()]
    for word in words:
        if word not in WORDS and word not in RULES:
            fail(Message('--fail-on "{}": one of {}', word, ", ".join((*WORDS, *RULES))), 2)
    return words


def _known(path: Path | None) -> frozenset[tuple[str, str]]:
    """The findings of a baseline; leave with status 2 if it can't be read."""
    from msmap.scan import baseline

    if path is None:
        return frozenset()
    try:
        return baseline.read(path)
    except OSError as error:
        fail(Message("{}; `msmap scan PATH --write-baseline {}` writes it", reason(error), path), 2)
    except baseline.BadBaseline as error:
        fail(Message("{}", error), 2)


def _keep(path: Path, found: Report) -> None:
    """Keep all findings as a baseline."""
    from msmap.scan import baseline

    report(f"{path}: {baseline.write(path, found.sites):,}")
