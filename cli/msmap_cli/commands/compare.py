"""Two recordings, or two models, and where their numbers part."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from msmap.render import View
from msmap_cli import comparing
from msmap_cli.commands.record import INPUTS, Mode, Values
from msmap_cli.opening import base
from msmap_cli.options import Lang, MindSpore, OnDevice
from msmap_cli.output import Leave, tell, write
from msmap_cli.settings import language

# Modules of msmap.render, but for `json`.
Form = Literal["text", "json", "html"]


def compare(
    one: Annotated[
        str, typer.Argument(metavar="A", help="A recording, or MODULE:FACTORY of a model.")
    ],
    other: Annotated[
        str, typer.Argument(metavar="B", help="The same of the other framework.")
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            metavar=INPUTS,
            help="Of two models: 'float32[2, 3, 32, 32]' or 'int64[2, 8] in 0..100' once for each "
            "input, or an .npz.",
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of two models: the function of each that trains it."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Of two models: only layers of this path or pattern."),
    ] = None,
    steps: Annotated[
        str | None, typer.Option(metavar="0,1,5", help="Of two models: only these steps.")
    ] = None,
    values: Annotated[Values, typer.Option(help="Of two models: what is compared.")] = "tensors",
    mode: Annotated[Mode, typer.Option(help="Of two models: their mode.")] = "both",
    dropout: Annotated[
        bool, typer.Option("--dropout/--no-dropout", help="Of two models: drop out, or nothing.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Of two models: begin random numbers.")] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check/--no-check",
            help="Of two recordings too: run the checks of the caveats that explain a difference.",
        ),
    ] = False,
    layer_mapping: Annotated[
        Path | None,
        typer.Option(help="Write which layer is which for msProbe, as YAML.", dir_okay=False),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List everything that differs.")] = False,
    device: OnDevice = None,
    mindspore: MindSpore = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print the result.")] = "text",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write it to a file.", dir_okay=False)
    ] = None,
    lang: Lang = None,
) -> None:  # fmt: skip
    """Tell where the numbers of a port part from PyTorch's, and why.

    A and B are recordings of msmap record, or folders of msProbe's dump; no framework is needed.
    With two factories both models run here, with PyTorch's weights and the same inputs.

    Layers are paired by their records, differences are measured by PyTorch's own noise, and what
    differs is explained by the caveats of the records, or said to be none of them.

    Exit status: 0 all agrees, 1 something differs or has no partner, 2 wrong usage.
    """
    asked = comparing.Asked(
        tuple(inputs or ()), train, tuple(only or ()), comparing.numbers(steps), values, mode,
        dropout, seed, True,
    )  # fmt: skip
    with base(mindspore, device=device) as kb:
        found = comparing.compare(kb, one, other, asked, check, layer_mapping)
        view = View(language(lang), kb.device, places=None if every else 5)
        if output is None:
            tell(found, form, view)
        else:
            write(output, found, form, view)
    if found.verdict != "agrees":
        raise Leave(1)
