"""The choices and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from msmap import vocabulary
from msmap.messages import Message
from msmap_cli.output import fail

if TYPE_CHECKING:
    from msmap.verify.plan.choose import Shard

# `text`, `markdown`: modules of msmap.render; `json`, `yaml`: the data itself, by `output`.
Format = Literal["text", "json", "yaml", "markdown"]
Language = vocabulary.Language
Device = vocabulary.Platform
# How a report is printed.
Report = Literal["text", "json"]


Form = Annotated[Format, typer.Option("--format", "-f", help="How to print the result.")]
Fields = Annotated[
    str | None,
    typer.Option(
        "--json", metavar="FIELDS",
        help="Print these fields as JSON, between commas; of a record or of each in a list.",
    ),
]  # fmt: skip
Exclude = Annotated[
    list[str] | None,
    typer.Option(metavar="PATTERN", help="Leave out names or paths below a folder that fit."),
]
FileJobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Files at a time; one a core.")
]
Lang = Annotated[
    Language | None,
    typer.Option("--lang", "-l", help="Language of texts; the locale's if left out."),
]
Full = Annotated[
    bool,
    typer.Option("--verbose", "-v", help="All of it: every target, caveat, and what checks gave."),
]
MindSpore = Annotated[
    str | None,
    typer.Option(
        "--mindspore", "-m", metavar="RELEASE",
        help="As of that MindSpore release, such as 2.8; the newest if left out.",
    ),
]  # fmt: skip
OnDevice = Annotated[
    Device | None,
    typer.Option(
        "--device", "-d", envvar="MSMAP_DEVICE", case_sensitive=False,
        help="What is best and what bites there; all devices if left out.",
    ),
]  # fmt: skip
Data = Annotated[
    Path, typer.Option("--data", help="The data directory of a checkout.", file_okay=False)
]
Cached = Annotated[
    bool,
    typer.Option(
        "--cache/--no-cache",
        help="Take what hasn't changed from what the last run left in $MSMAP_CACHE, or "
        "in the user's cache directory if that isn't set.",
    ),
]
Names = Annotated[
    list[str] | None, typer.Argument(help="PyTorch names, or ids of guides; all if none is given.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Checks at a time; one a core.")
]
Everything = Annotated[
    bool, typer.Option("--all", help="Run what is current too, not only what is stale.")
]
RunsOn = Annotated[
    Device | None,
    typer.Option(
        "--device", case_sensitive=False, help="What MindSpore runs on here; CPU if left out."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Run on the workers of this Dask scheduler, such as tcp://head:8786.",
    ),
]
FileScheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Have files read by the workers of this Dask scheduler, such as tcp://head:8786.",
    ),
]
Limit = Annotated[float, typer.Option(min=0.1, help="Seconds that a check may take.")]


def shard(text: str | None) -> Shard | None:
    """The part of all names that a text means; leave with status 2 if it means none."""
    from msmap.verify.plan.choose import Shard

    try:
        return Shard.parse(text) if text is not None else None
    except ValueError as error:
        fail(Message("{}", error), 2)


def few_workers(scheduler: str | None, jobs: int | None) -> None:
    """Leave with status 2 if files are to be read on workers and by processes of this machine."""
    if scheduler is not None and jobs is not None:
        fail("--scheduler: one file at a time is read by each worker, and --jobs is for here", 2)


def one_place(scheduler: str | None, jobs: int | None, device: Device | None) -> None:
    """Leave with status 2 if a run on workers is to have this machine's threads or device."""
    if scheduler is not None and (jobs is not None or device is not None):
        fail("--scheduler: workers have threads and a device of their own", 2)


def known(what: str, value: str | None, terms: dict[str, tuple[str, str]]) -> None:
    """Leave with status 2 if a value is none of a closed vocabulary."""
    if value is not None and value not in terms:
        fail(Message('{} "{}": one of {}', what, value, ", ".join(terms)), 2)
