"""The choices and options that several commands share."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Format(str, Enum):
    """How results are printed."""

    text = "text"
    json = "json"
    yaml = "yaml"
    markdown = "markdown"


class Language(str, Enum):
    """The language of texts."""

    en = "en"
    zh = "zh"


class Device(str, Enum):
    """Where the best target runs."""

    Ascend = "Ascend"
    GPU = "GPU"
    CPU = "CPU"


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
