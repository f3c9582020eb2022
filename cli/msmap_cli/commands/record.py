"""What a model does, recorded."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from msmap.messages import Message
from msmap_cli import comparing
from msmap_cli.output import report

Values = Literal["tensors", "statistics"]
Mode = Literal["both", "train", "eval", "kept"]
INPUTS = "DTYPE[SHAPE]|FILE.npz"


def record(
    factory: Annotated[
        str,
        typer.Argument(
            metavar="MODULE:FACTORY",
            help="What makes the model, such as net:make or net.py:make: a class, or a function "
            "that gives a model, or model, inputs, loss and optimizer.",
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The folder to write.", file_okay=False)
    ],
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            metavar=INPUTS,
            help="'float32[2, 3, 32, 32]' or 'int64[2, 8] in 0..100' once for each input, or an "
            ".npz, in the order of its arrays or by name.",
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A function of the module that is called with the model, and trains it.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Only layers of this path or pattern."),
    ] = None,
    steps: Annotated[
        str | None, typer.Option(metavar="0,1,5", help="Only these steps; all if left out.")
    ] = None,
    values: Annotated[
        Values, typer.Option(help="Keep whole tensors, or statistics of them.")
    ] = "tensors",
    mode: Annotated[
        Mode,
        typer.Option(help="Mode of the model: training and then evaluation, or as it comes."),
    ] = "both",
    dropout: Annotated[
        bool, typer.Option("--dropout/--no-dropout", help="Drop out, or drop nothing out.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Begin random numbers anew with this.")] = None,
    noise: Annotated[
        bool,
        typer.Option(
            "--noise/--no-noise",
            help="Run PyTorch in float64 beside, the yardstick of a comparison.",
        ),
    ] = True,
) -> None:
    """Record what a model of PyTorch's or MindSpore's does, for msmap compare.

    Inputs, outputs and gradients of every layer and of the functions between them, in the order
    of their calls; parameters, buffers and the loss after every step. The folder holds JSON and
    .npz files, and is read without a framework.

    Exit status: 0 recorded, 1 not, 2 wrong usage.
    """
    asked = comparing.Asked(
        tuple(inputs or ()), train, tuple(only or ()), comparing.numbers(steps), values, mode,
        dropout, seed, noise,
    )  # fmt: skip
    made = comparing.record(factory, output, asked)
    calls = sum(len(step.calls) for step in made.steps)
    report(
        Message(
            "{}: steps: {}, layers: {}, calls: {}",
            output,
            len(made.steps),
            len(made.layers),
            calls,
        )
    )
