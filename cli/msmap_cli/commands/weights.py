"""Checkpoints, carried from PyTorch to MindSpore and back."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from msmap.messages import Message
from msmap.render import View
from msmap_cli import comparing
from msmap_cli.commands.record import INPUTS
from msmap_cli.opening import base, needing
from msmap_cli.options import Lang, MindSpore, OnDevice
from msmap_cli.output import Leave, fail, say, tell
from msmap_cli.settings import language

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase
    from msmap.record.factories import Job
    from msmap.weights.convert import Asked

Form = Literal["text", "json", "yaml"]
_FACTORY = "MODULE:FACTORY"


def weights(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A .pt or .pth of torch.save, a .safetensors, a .ckpt; of weights in several "
            "files their index or folder.",
            show_default=False,
        ),
    ],
    to: Annotated[
        Path | None,
        typer.Option(
            "--to",
            help="The file to write: .ckpt, .safetensors, .pt or .pth; in several files "
            ".safetensors.index.json or .bin.index.json.",
        ),
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
            metavar=INPUTS,
            help="Of both models: 'float32[2, 3, 32, 32]' or 'int64[2, 8] in 0..100' once for each "
            "input, or an .npz with all of them.",
        ),
    ] = None,
    shard_size: Annotated[
        str, typer.Option(metavar="SIZE", help="The most that each of several files takes.")
    ] = "5GB",
    device: OnDevice = None,
    mindspore: MindSpore = None,
    form: Annotated[Form, typer.Option("--format", "-f", help="How to print the result.")] = "text",
    lang: Lang = None,
) -> None:
    """Carry a checkpoint over: layer by layer, by what the records say of names and shapes.

    Which layer a tensor belongs to is told by --mapping, --model, --source or --into, the first of
    them that knows; no code of the checkpoint is ever run. With --into (on the way back --model)
    names and shapes are checked, and what stays without a value is listed.

    With both and --inputs it ends with what msmap compare finds.

    Exit status: 0 all is placed and set, 1 some of it isn't, or the models differ, 2 nothing was
    written.
    """
    view = View(language(lang))
    if to is None and draft is None:
        fail("--to FILE says what to write, or --draft FILE drafts a mapping", 2)
    if inputs and not (model and into):
        fail("--inputs is for both models: give --model and --into", 2)
    with needing("weights", "carrying weights over"):
        import numpy  # noqa: F401

        from msmap.errors import WeightsError
        from msmap.weights.convert import Asked
        from msmap.weights.shards import size
    try:
        shard = size(shard_size)
    except WeightsError as error:
        fail(error.message, 2)
    asked = Asked(
        file, to, key, strip, back, mapping=mapping, optimizer=optimizer,
        optimizer_class=optimizer_class, shard=shard,
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
    from msmap.compare.report import Checked
    from msmap.errors import MsmapError
    from msmap.query.base.states import states
    from msmap.weights import drafts, layers, reasons
    from msmap.weights import source as sources
    from msmap.weights.contents import read
    from msmap.weights.convert import convert, known

    try:
        net = _made(model, "torch.nn.Module", inputs)
        cell = _made(into, "mindspore.nn.Cell", inputs)
        if net is not None:
            asked.live = layers.live(net.model, net.optimizer)
        if cell is not None:
            asked.cells = layers.cells(cell.model)
        if source is not None:
            asked.read_source = lambda tensors: sources.read(source, kb, tensors)
        found = states(kb)
        if draft is not None:
            contents = read(asked.source, asked.key, asked.strip)
            count = drafts.write(draft, contents, known(asked, contents, found))
            told = Message("{}: written; {} lines to look at", draft, count)
            say(told if count else Message("{}: written", draft))
            if asked.destination is None:
                return
        done = convert(asked, found)
    except MsmapError as error:
        fail(error.message, 2)
    except OSError as error:
        from msmap_cli.output import reason

        fail(reason(error), 2)
    report = Checked(**{one.name: getattr(done.report, one.name) for one in fields(done.report)})
    failed = ""
    if net is not None and cell is not None:
        if net.inputs is None and cell.inputs is None:
            report = replace(report, notes=(*report.notes, reasons.NO_INPUT))
        else:
            try:
                report = replace(report, compared=comparing.loaded(kb, done, net, cell))
            except MsmapError as error:
                failed = error.message
    tell(report, form, view)
    if failed:
        fail(failed, 1)
    if not report.agrees:
        raise Leave(1)


def _made(factory: str | None, kind: str, inputs: list[str]) -> Job | None:
    """What a factory makes, if its model is of a class such as ``torch.nn.Module``."""
    if factory is None:
        return None
    from msmap.errors import WeightsError

    job = comparing.made(factory, tuple(inputs))
    found = [
        base for one in type(job.model).__mro__ if (base := f"{one.__module__}.{one.__name__}")
    ]
    if not any(name in _ROOTS[kind] for name in found):
        raise WeightsError(
            "{} makes an object of {}, no {}", factory, type(job.model).__name__, kind
        )
    return job


# The classes of which all models are, where they are written.
_ROOTS = {
    "torch.nn.Module": ("torch.nn.modules.module.Module",),
    "mindspore.nn.Cell": ("mindspore.nn.cell.Cell",),
}
