"""The choices and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from msmap import vocabulary
from msmap_cli.output import fail

# `text`, `markdown`: modules of msmap.render; `json`, `yaml`: the data itself, by `output`.
Format = Literal["text", "json", "yaml", "markdown"]
Language = vocabulary.Language
Device = vocabulary.Platform
# How a report is printed.
Report = Literal["text", "json"]


Form = Annotated[Format, typer.Option("--format", "-f", help="How to print the result.")]
Lang = Annotated[
    Language | None,
    typer.Option("--lang", "-l", help="Language of texts; the locale's if left out."),
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
Names = Annotated[
    list[str] | None, typer.Argument(help="PyTorch names, or ids of guides; all if none is given.")
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", min=1, help="Checks at a time; one a core.")
]
Limit = Annotated[float, typer.Option(min=0.1, help="Seconds that a check may take.")]


def known(what: str, value: str | None, terms: dict[str, tuple[str, str]]) -> None:
    """Leave with status 2 if a value is none of a closed vocabulary."""
    if value is not None and value not in terms:
        fail(f'{what} "{value}": one of {", ".join(terms)}', 2)
