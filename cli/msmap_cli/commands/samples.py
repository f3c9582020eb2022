"""What PyTorch names are tried with."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from msmap.messages import Message
from msmap_cli import options
from msmap_cli.opening import loading
from msmap_cli.options import Data, Jobs, Report
from msmap_cli.output import emit, fail, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from msmap.probe.sample import Sample, Sampling
    from msmap.render.layout import Line

_WIDE = 100


def samples(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="PyTorch names; with --run, all that have a record if none is given."),
    ] = None,
    data: Data = Path("data"),
    limit: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Samples of each dtype; of the first, some more."),
    ] = 3,
    told: Annotated[
        bool,
        typer.Option("--run", help="Run each as the record ports it, and count what came of it."),
    ] = False,
    jobs: Jobs = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="With --run, only the I-th of N parts of the names."),
    ] = None,
    form: Annotated[
        Report, typer.Option("--format", "-f", help="How to print the result.")
    ] = "text",
) -> None:
    """Show the inputs that a PyTorch name is tried with, and what could not be had.

    They come from PyTorch's own tests and documentation, from MindSpore's examples turned round, or
    are made from the signature, and each ran on PyTorch. Exit status: 1 if a name isn't known.

    With --run each runs on MindSpore too, as the record ports it: a table by dtype says how many
    agree, are told of or are refused by the record, and what differs and nobody tells. Nothing is
    kept. Exit status: 1 also if there is no record.
    """
    if not names and not told:
        fail("samples of what? With --run, all that have a record", 2)

    def work() -> int:
        if not told:
            return run(data, names or [], limit, form)
        from msmap_cli import truths

        return truths.run(
            data, names or [], limit, jobs, options.shard(shard) if shard else None, form
        )

    sys.exit(loading(work))


def run(data: Path, names: list[str], limit: int, form: str) -> int:
    """Print the samples of names; 1 if one isn't known."""
    import json

    from msmap.probe import bench as benches
    from msmap.probe import samples as room
    from msmap.probe.turned import Turned

    bench = benches.read(data)
    apis = bench.torch.apis
    unknown = [name for name in names if name not in apis]
    if unknown:
        fail(Message("{} is not a known name of PyTorch", unknown[0]), 1)
    found = room.read(names, apis, limit, told=Turned(bench).told).values()
    if form == "json":
        emit({"names": [json.loads(one.dumps()) for one in found]}, form)
    else:
        show(line for one in found for line in _lines(one))
    return 0


def _lines(found: Sampling) -> Iterator[Line]:
    """A name's samples, a line each, and what there is none of."""
    from msmap.render.layout import BOLD, DIM, line
    from msmap.sample_words import GAPS, ORIGINS

    yield line((found.name, BOLD), f": {len(found.samples)} samples")
    for sample in found.samples:
        yield line((f"{sample.id}: ", DIM), *_call(sample), indent=2)
    for word, count in found.origins.items():
        yield line(f"{ORIGINS[word][0]}: {count} to choose from", indent=2)
    for word, count in found.gaps.items():
        yield line(f"left out, {GAPS[word][0]}: {count}", indent=2)


def _call(sample: Sample) -> Iterator[tuple[str, str]]:
    from msmap.render.layout import CODE, DIM, WARN

    yield sample.torch, CODE
    inputs = ", ".join(f"{name} {_input(spec)}" for name, spec in sample.inputs.items())
    if inputs:
        yield f"  {inputs}", ""
    yield f"  {' '.join(sample.kinds)}", DIM
    if sample.raises or sample.random:
        yield "  raises" if sample.raises else "  random", WARN


def _input(spec: dict[str, object]) -> str:
    """An input in few words: its dtype, then its values or its shape."""
    what = spec["values"] if "values" in spec else f"of shape {spec['shape']}"
    text = f"{spec['dtype']} {what}" + (f" {spec['edge']}" if "edge" in spec else "")
    return text if len(text) <= _WIDE else f"{text[: _WIDE - 3]}..."
