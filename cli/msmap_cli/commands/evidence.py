"""Commands on kept evidence: merge that of other machines, compare two environments."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from msmap.errors import UnknownRelease
from msmap.messages import Message
from msmap.render import View
from msmap.render.layout import line
from msmap_cli import output
from msmap_cli.opening import base, loading
from msmap_cli.options import Data, Fields, Form, Lang, MindSpore
from msmap_cli.output import fail, tell
from msmap_cli.settings import language

if TYPE_CHECKING:
    from msmap.infer.resolve import Facts
    from msmap.model import Record

app = typer.Typer(no_args_is_help=True, help="Merge and compare what came out of checks.")


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="A name of PyTorch.")],
    place: Annotated[
        str | None,
        typer.Argument(
            metavar="[CHECK[/VARIANT]]",
            help="Only this one: what is known of it, and a script that repeats it.",
        ),
    ] = None,
    environment: Annotated[
        str | None, typer.Option(help="One environment, by a part of its name.")
    ] = None,
    data: Data = Path("data"),
    mindspore: MindSpore = None,
    form: Form = "text",
    fields: Fields = None,
    lang: Lang = None,
) -> None:
    """Show what came out of a record's checks, variant by variant, and how to repeat a run.

    In a checkout, its data files are read; elsewhere the installed database.

    Exit status: 0 shown, 1 no such record or check, 2 wrong usage.
    """
    view = View(language(lang))
    if (data / "records").is_dir():
        found = loading(lambda: _written(data, name, place, environment, mindspore))
    else:
        with base(mindspore, view.language) as kb:
            found = _found(kb.lookup(name), place, environment, kb)
    tell(found, form, view, fields)


def _written(
    data: Path, name: str, place: str | None, environment: str | None, mindspore: str | None
) -> object:
    """What the data files of a checkout have, which may be newer than the database."""
    from msmap.verify.plan import choose

    try:
        facts = choose.about(data, [name], mindspore)
    except UnknownRelease as error:
        fail(error.message, 2)
    record = facts.records.get(facts.torch_name(name) or name)
    if record is None:
        fail(Message("no record of {} below {}", name, data), 1)
    return _found(record, place, environment, facts)


def _found(record: Record, place: str | None, environment: str | None, facts: Facts) -> object:
    if place is None:
        from msmap.query.names import answers

        return answers.proof(record, environment)
    from msmap.verify import repeat

    return repeat.of(record, place, facts)


@app.command()
def merge(
    files: Annotated[
        list[Path],
        typer.Argument(help="Evidence files of other machines.", exists=True, dir_okay=False),
    ],
    data: Data = Path("data"),
) -> None:
    """Put evidence of other machines or shards into data/evidence.

    A file's name says its environment. Taken is what fits the checks as they are now and ours
    lack. Where the same code came out differently, both are shown and ours stay.

    Exit status: 0 merged, 1 conflicts or nothing done, 2 wrong usage.
    """
    from msmap.assemble import content
    from msmap.evidence import environments
    from msmap.render import evidence as render
    from msmap.verify.plan.variants import GENERATION

    hashes = partial(content.hashes, data, generation=GENERATION)
    merged = loading(lambda: environments.merge(data / "evidence", files, hashes))
    output.show(line(text) for done in merged for text in render.merged(done))
    conflicts = sum(len(done.conflicts) for done in merged)
    if conflicts:
        fail(
            Message("{} conflict(s): ours stay; `msmap verify NAME` runs a record anew", conflicts),
            1,
        )


@app.command()
def diff(
    first: Annotated[str, typer.Argument(help="An environment, a part of its name, or a file.")],
    second: Annotated[str, typer.Argument(help="Another.")],
    data: Data = Path("data"),
    form: Form = "text",
    fields: Fields = None,
) -> None:
    """List the checks that came out differently in two environments, the worst first.

    Exit status: 0 compared, 1 a file is broken, 2 wrong usage.
    """

    from msmap.evidence import environments

    def compare() -> environments.Comparison:
        directory = data / "evidence"
        return environments.compare(
            environments.find(directory, first), environments.find(directory, second)
        )

    tell(loading(compare), form, View(), fields)
