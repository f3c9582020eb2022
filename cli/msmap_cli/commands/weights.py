"""Checkpoints, carried from PyTorch to MindSpore and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from msmap.render import View
from msmap_cli.opening import base, needing
from msmap_cli.options import Lang, MindSpore, OnDevice
from msmap_cli.output import Leave, fail, say, tell
from msmap_cli.settings import language

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase
    from msmap.weights.convert import Asked

Form = Literal["text", "json", "yaml"]
_FACTORY = "MODULE:FACTORY"


def weights(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A .pt or .pth of torch.save, a .safetensors, a .ckpt.",
            show_default=False,
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", help="The file to write: .ckpt, .safetensors, .pt or .pth."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar=_FACTORY,
            help="What makes the model of PyTorch: nets:Net, nets.py:make, 'nets:Net(classes=10)'.",
        ),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option(metavar=_FACTORY, help="What makes the model of MindSpore, to check against."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.py:CLASS",
            help="The class of PyTorch's model, or what makes it, read and not run.",
        ),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(help="A mapping file: what --draft writes, or TroubleShooter's JSON."),
    ] = None,
    draft: Annotated[
        Path | None,
        typer.Option(help="Write a mapping file to finish: YAML, or TroubleShooter's JSON."),
    ] = None,
    key: Annotated[
        str, typer.Option(help="Which of several state dicts is meant, such as model_ema.")
    ] = "",
    strip: Annotated[
        str, typer.Option(metavar="PREFIX", help="What to take off the names, such as model.")
    ] = "",
    back: Annotated[
        bool | None,
        typer.Option(
            "--back/--forth",
            help="From MindSpore to PyTorch, or from PyTorch; the suffixes say it if left out.",
        ),
    ] = None,
    optimizer: Annotated[
        Path | None,
        typer.Option(help="Where to write the optimizer's state; with --back, where it stands."),
    ] = None,
    optimizer_class: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="NAME",
            help="MindSpore's optimizer, if not that of mindspore.experimental.optim.",
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            metavar="DTYPE[SHAPE]",
            help="An input for both models, to compare what they give: 'float32[2, 3, 32, 32]', "
            "'int64[2, 8] in 0..100'. Once for each input.",
        ),
    ] = None,
    device: OnDevice = None,
    mindspore: MindSpore = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print the result.")] = "text",
    lang: Lang = None,
) -> None:
    """Carry a checkpoint over: layer by layer, by what the records say of names and shapes.

    Which layer a tensor belongs to is told by --mapping, --model, --source or --into, the first of
    them that knows; no code of the checkpoint is ever run. With --into (on the way back --model)
    names and shapes are checked, and what stays without a value is listed.

    Exit status: 0 all is placed and set, 1 some of it isn't, or the outputs differ, 2 nothing was
    written.
    """  # fmt: skip
    view = View(language(lang))
    if to is None and draft is None:
        fail("--to FILE says what to write, or --draft FILE drafts a mapping", 2)
    if inputs and not (model and into):
        fail("--input is for both models: give --model and --into", 2)
    with needing("weights", "carrying weights over"):
        import numpy  # noqa: F401

        from msmap.weights.convert import Asked
    asked = Asked(
        file, to, key, strip, back, mapping=mapping, optimizer=optimizer,
        optimizer_class=optimizer_class,
    )  # fmt: skip
    with base(mindspore, device=device) as kb:
        _run(kb, asked, model, into, source, draft, inputs or [], form, view)


def _run(
    kb: KnowledgeBase,
    asked: Asked,
    model: str | None,
    into: str | None,
    source: str | None,
    draft: Path | None,
    inputs: list[str],
    form: Form,
    view: View,
) -> None:
    from msmap.errors import WeightsError
    from msmap.query.states import states
    from msmap.weights import drafts, factories, layers, outputs
    from msmap.weights import source as sources
    from msmap.weights.contents import read
    from msmap.weights.convert import convert, known

    try:
        net = factories.made(model, "--model") if model else None
        cell = factories.made(into, "--into") if into else None
        given = [outputs.inputs(text) for text in inputs]
        if net is not None:
            asked.live = layers.live(factories.checked(net, model or "", "torch.nn.Module"))
        if cell is not None:
            asked.cells = layers.cells(factories.checked(cell, into or "", "mindspore.nn.Cell"))
        if source is not None:
            asked.read_source = lambda tensors: sources.read(source, kb, tensors)
        found = states(kb)
        if draft is not None:
            contents = read(asked.source, asked.key, asked.strip)
            count = drafts.write(draft, contents, known(asked, contents, found))
            said = f"; {count} lines to look at" if count else ""
            say(f"{draft}: written{said}")
            if asked.destination is None:
                return
        done = convert(asked, found)
    except WeightsError as error:
        fail(str(error), 2)
    except OSError as error:
        from msmap_cli.output import reason

        fail(reason(error), 2)
    report, failed = done.report, ""
    if net is not None and cell is not None:
        try:
            report = outputs.compared(done, net, cell, given)
        except WeightsError as error:
            failed = str(error)
    tell(report, form, view)
    if failed:
        fail(failed, 1)
    if not report.is_whole:
        raise Leave(1)
