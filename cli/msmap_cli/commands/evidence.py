"""Commands on kept evidence: merge that of other machines, compare two environments."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from msmap.code.resolve import Facts
from msmap.errors import MsmapError, UnknownEnvironment
from msmap.model import Evidence, Finding, Record, state_of
from msmap.query import answers
from msmap.render import evidence as render
from msmap.render.layout import line
from msmap_cli import output
from msmap_cli.opening import base, loading
from msmap_cli.options import Data, Form, Format, Lang, MindSpore
from msmap_cli.output import emit, fail
from msmap_cli.quick import language

if TYPE_CHECKING:
    from msmap.evidence.environments import Comparison, Merged

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
    tongue = language(lang)
    with base(mindspore) as kb:
        try:
            found = kb.lookup(name)
        except MsmapError as error:
            fail(str(error), 1)
        if place is None:
            _record(found, environment, form.value, tongue)
        else:
            _one(found, place, kb, tongue)


def _record(found: Record, environment: str | None, form: str, tongue: str) -> None:
    """Print the evidence of a record, check by check and variant by variant."""
    checks = [(check, render.chosen(check, environment)) for check in found.checks]
    if form in ("json", "yaml"):
        told = tuple(replace(c, evidence=(e,) if e else ()) for c, e in checks)
        emit(answers.plain(answers.Proof(found.torch, told)), form)
    elif form == "markdown":
        print("\n".join(render.markdown(found, checks, tongue)))
    else:
        output.show(render.text(found, checks, tongue))


def _one(found: Record, place: str, facts: Facts, tongue: str) -> None:
    """Print what is known of one check, or one of its variants, and a script that repeats it."""
    from msmap.verify import script as snippet
    from msmap.verify.plan import job, variants

    name, _, variant = place.partition("/")
    check = next((c for c in found.checks if c.id == name), None)
    if check is None:
        fail(f"{found.torch} has no check `{name}`; it has {', '.join(_ids(found))}", 1)
    state = state_of(found.targets, check.target)
    made = job.make(found.torch, check, state)
    evidence = check.evidence[-1] if check.evidence else None
    finding: Evidence | Finding | None = evidence
    if variant:
        seen = evidence.variants if evidence else {}
        finding = seen.get(variant)
        known = {v.name: v for v in variants.of(found, facts).get(name, [])}
        if variant in known:
            made = made.variant(variants.plain(known[variant]))
        elif variant not in seen:
            names = ", ".join({**known, **seen}) or "none"
            fail(f"`{name}` has no variant `{variant}`; it has {names}", 1)
    output.show([line(f"# {text}") for text in render.told(finding, tongue)])
    print(snippet.script(made, variant), end="")


def _ids(found: Record) -> list[str]:
    return [check.id for check in found.checks]


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
            typer.echo("\n".join(render.fields(conflict)))
        typer.echo(f"{done.path}: {render.counts(done)}")
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
        emit(answers.plain(found), form.value)
        return
    markdown = form is Format.markdown
    lines = render.comparison_markdown(found) if markdown else render.comparison(found)
    typer.echo("\n".join(lines))


def _merge(environments: Any, data: Path, files: list[Path]) -> Any:
    from msmap.assemble import content
    from msmap.verify.plan.variants import GENERATION

    return environments.merge(
        data / "evidence", files, partial(content.hashes, data, generation=GENERATION)
    )


def _known(action: Any) -> Any:
    """Do something with environments; wrong names end with status 2."""
    from msmap.evidence import environments

    try:
        return action(environments)
    except UnknownEnvironment as error:
        fail(str(error), 2)
