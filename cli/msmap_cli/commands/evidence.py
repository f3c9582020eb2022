"""Commands on kept evidence: merge that of other machines, compare two environments."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from msmap.errors import UnknownEnvironment
from msmap_cli.curate import Data, loading
from msmap_cli.options import Form, Format, Lang, MindSpore
from msmap_cli.output import emit, fail
from msmap_cli.quick import language

if TYPE_CHECKING:
    from msmap.evidence.environments import Change, Comparison, Merged

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
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show what came out of a record's checks, variant by variant, and how to repeat a run.

    Exit status: 0 shown, 1 no such record or check, 2 wrong usage.
    """
    from msmap.errors import MsmapError
    from msmap_cli import reading, showing

    with reading.base(mindspore) as kb:
        try:
            found = kb.lookup(name)
        except MsmapError as error:
            fail(str(error), 1)
        if place is None:
            showing.record(found, environment, form.value, language(lang))
        else:
            showing.one(found, place, kb, language(lang))


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
    merged: list[Merged] = loading(lambda: _known(lambda m: _merge(m, data, files)))
    for done in merged:
        for conflict in done.conflicts:
            typer.echo(f"{conflict.record}: {conflict.check}: ours | {done.path}")
            typer.echo("\n".join(_fields(conflict)))
        typer.echo(f"{done.path}: {_counts(done)}")
    conflicts = sum(len(done.conflicts) for done in merged)
    if conflicts:
        fail(f"{conflicts} conflict(s): ours stay; `msmap verify NAME` runs a record anew", 1)


@app.command()
def diff(
    first: Annotated[str, typer.Argument(help="An environment, a part of its name, or a file.")],
    second: Annotated[str, typer.Argument(help="Another.")],
    data: Data = Path("data"),
    form: Form = Format.text,
) -> None:
    """List the checks that came out differently in two environments, the worst first.

    Exit status: 0 compared, 1 a file is broken, 2 wrong usage.
    """

    def compare(m: Any) -> Any:
        directory = data / "evidence"
        return m.compare(m.find(directory, first), m.find(directory, second))

    found: Comparison = loading(lambda: _known(compare))
    if form in (Format.json, Format.yaml):
        from msmap.query import answers

        emit(answers.plain(found), form.value)
        return
    lines = _markdown(found) if form is Format.markdown else _text(found)
    typer.echo("\n".join(lines))


def _merge(environments: Any, data: Path, files: list[Path]) -> Any:
    from msmap.assemble import content

    return environments.merge(data / "evidence", files, partial(content.hashes, data))


def _known(action: Any) -> Any:
    """Do something with environments; wrong names end with status 2."""
    from msmap.evidence import environments

    try:
        return action(environments)
    except UnknownEnvironment as error:
        fail(str(error), 2)


def _counts(done: Merged) -> str:
    counts = {
        "taken": done.taken,
        "the same": done.same,
        "in conflict": len(done.conflicts),
        "inconclusive and left out": done.inconclusive,
        "of checks that changed since and left out": done.outdated,
        "of unknown checks and left out": done.unknown,
    }
    return ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "no outcomes"


def _fields(change: Change) -> Iterator[str]:
    width = max(len(name) for name in change.fields)
    for name, (left, right) in change.fields.items():
        yield f"  {name:{width}}  {_show(left)} | {_show(right)}"


def _show(value: Any) -> str:
    return "-" if value in ("", None) else " ".join(str(value).split())


def _text(found: Comparison) -> Iterator[str]:
    yield " | ".join(found.environments)
    for change in found.changes:
        yield f"{change.record}: {change.check}"
        yield from _fields(change)
    for name, only in zip(found.environments, (found.only_first, found.only_second), strict=True):
        for record, check in only:
            yield f"{record}: {check}: only in {name}"
    yield _summary(found)


def _markdown(found: Comparison) -> Iterator[str]:
    first, second = found.environments
    yield f"| check | | {first} | {second} |\n|---|---|---|---|"
    for change in found.changes:
        for name, values in change.fields.items():
            left, right = (_show(value).replace("|", "\\|") for value in values)
            yield f"| {change.record}: {change.check} | {name} | {left} | {right} |"
    for left, right, only in (("yes", "no", found.only_first), ("no", "yes", found.only_second)):
        for record, check in only:
            yield f"| {record}: {check} | ran | {left} | {right} |"
    yield f"\n{_summary(found)}"


def _summary(found: Comparison) -> str:
    first, second = found.environments
    return (
        f"{len(found.changes)} differ, {found.same} the same, {len(found.only_first)} only in "
        f"{first}, {len(found.only_second)} only in {second}"
    )
