"""Commands for who writes records: build, lint, signatures, verify."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from msmap import database as index
from msmap_cli.options import Device
from msmap_cli.output import fail

app = typer.Typer()
T = TypeVar("T")

Data = Annotated[
    Path, typer.Option("--data", help="The data directory of a checkout.", file_okay=False)
]
Names = Annotated[
    list[str] | None, typer.Argument(help="PyTorch names, or ids of guides; all if none is given.")
]


class Report(str, Enum):
    """How a report is printed."""

    text = "text"
    json = "json"


# What the extras bring, by the name under which it is imported.
_EXTRAS = {
    "pydantic": "curate",
    "sqlalchemy": "curate",
    "sqlmodel": "curate",
    "sqlite_utils": "curate",
    "numpy": "verify",
    "psutil": "verify",
}


def loading(action: Callable[[], T]) -> T:
    """Do something with data files; what is wrong in them is printed, with status 1."""
    try:
        return _loading(action)
    except ModuleNotFoundError as error:
        if error.name not in _EXTRAS:
            raise
        extra = _EXTRAS[error.name]
        fail(f"this needs {error.name}; install it with `pip install 'msmap[{extra}]'`", 1)


def _loading(action: Callable[[], T]) -> T:
    from msmap.evidence.files import EvidenceError
    from msmap.problems import DataError
    from msmap.signatures.files import SignatureFileError

    try:
        return action()
    except DataError as error:
        for problem in error.problems:
            typer.echo(str(problem), err=True)
        fail(f"{len(error.problems)} problem(s) in the data; nothing was changed", 1)
    except (EvidenceError, SignatureFileError, OSError) as error:
        fail(str(error), 1)


@app.command()
def build(
    data: Data = Path("data"),
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to; the package's own by default.")
    ] = None,
) -> None:
    """Build the database from the data files, whole or not at all."""

    def work() -> Any:
        from msmap.store import build as store

        return store.build(data, Path(index.path(output)))

    built = loading(work)
    typer.echo(
        f"{built.path}: {built.records} records, {built.guides} guides, {built.claims} statements, "
        f"{built.checks} checks, {built.apis} names"
    )


@app.command()
def lint(
    names: Names = None,
    data: Data = Path("data"),
    skip: Annotated[list[str] | None, typer.Option(help="A rule to leave out.")] = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and stop.")] = False,
) -> None:
    """Check the records: schema, signatures, checks, both languages."""

    def work() -> Any:
        from msmap.lint import run as engine

        return engine.load_rules() if rules else engine.run(data, set(skip or ()))

    found = loading(work)
    if rules:
        for name, function in sorted(found.items()):
            typer.echo(f"{name}: {(function.__doc__ or '').splitlines()[0]}")
        return
    if names:
        from msmap.curated.load import path_of

        wanted: set[Path] = set()
        for name in names:
            places = [data / "records" / path_of(name)]
            places += [data / kind / f"{name}.yaml" for kind in ("guides", "claims", "sources")]
            if not any(path.is_file() for path in places):
                fail(f"nothing is called {name}: there is no {places[0]}", 1)
            wanted.update(places)
        found = [p for p in found if p.path in wanted]
    for problem in found:
        typer.echo(str(problem))
    if found:
        fail(f"{len(found)} problem(s)", 1)
    typer.echo("no problems", err=True)


@app.command()
def signatures(
    framework: Annotated[str, typer.Argument(help="torch or mindspore, as installed.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Directory for the file.", file_okay=False)
    ] = Path("data/signatures"),
) -> None:
    """Read the installed framework's public names and write them to one file."""
    from msmap.signatures.readers import collect

    if framework not in ("torch", "mindspore"):
        fail(f'"{framework}": one of torch, mindspore', 2)
    try:
        found = collect.run(framework, output)
    except collect.FrameworkMissing as error:
        fail(str(error), 1)
    typer.echo(
        f"{found.path}: {found.names} names, {found.callables} callables, "
        f"{len(found.without_signature)} of them without a signature"
    )


@app.command()
def verify(
    names: Names = None,
    data: Data = Path("data"),
    everything: Annotated[
        bool, typer.Option("--all", help="Run what is current too, not only what is stale.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Checks at a time; one a core.")
    ] = None,
    limit: Annotated[float, typer.Option(min=0.1, help="Seconds that a check may take.")] = 60.0,
    device: Annotated[
        Device, typer.Option(help="What MindSpore runs on here; the name of the evidence says it.")
    ] = Device.CPU,
    keep: Annotated[
        bool, typer.Option("--keep/--no-keep", help="Write what came out to data/evidence.")
    ] = True,
    check: Annotated[
        str | None, typer.Option(help="Only the check of this id, with all its variants.")
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option(metavar="I/N", help="Only the I-th of N parts of the records and guides."),
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(help="Write what came out as JUnit XML too.", dir_okay=False)
    ] = None,
    mutate: Annotated[
        bool,
        typer.Option(
            "--mutate", help="Put mistakes into the records and count those that checks catch."
        ),
    ] = False,
    at_least: Annotated[
        float,
        typer.Option(min=0, max=100, help="With --mutate: exit status 1 below this percentage."),
    ] = 0.0,
    tensorflow: Annotated[
        bool,
        typer.Option("--tensorflow", help="Run what statements say of TensorFlow, nothing else."),
    ] = False,
    form: Annotated[
        Report, typer.Option("--format", "-f", help="With --mutate: how to print the result.")
    ] = Report.text,
) -> None:
    """Run the checks of records on both frameworks and keep what came out.

    Names or --all run everything asked for; otherwise only checks without current evidence
    run. Without data files, the checks of the installed database run, and nothing is kept.
    What came out is kept while it runs: what was stopped goes on where it was. --mutate keeps
    nothing.
    """

    def work() -> int:
        from msmap.verify.plan.choose import Shard

        if tensorflow:
            from msmap_cli import claiming

            return claiming.prove(data)
        if mutate:
            from msmap_cli.commands import mutate as mutating

            return mutating.run(data, names or [], jobs, limit, form.value, at_least)
        from msmap_cli import verifying

        try:
            part = Shard.parse(shard) if shard is not None else None
        except ValueError as error:
            fail(str(error), 2)
        everything_asked = everything or bool(names) or check is not None
        wish = verifying.Wish(
            everything_asked, jobs, limit, device.value.lower(), keep, part, junit, check
        )
        return verifying.run(data, names or [], wish)

    sys.exit(loading(work))


@app.command()
def schema(
    name: Annotated[
        str | None, typer.Argument(help="Which one; all are listed if left out.")
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option(help="Make all schemas again, in this directory.", file_okay=False),
    ] = None,
) -> None:
    """Print the JSON Schema of record files or of a command's JSON output."""
    shipped = Path(index.SHIPPED).with_name("schemas")
    if write is not None:

        def work() -> list[Path]:
            from msmap import contracts

            return contracts.write(write)

        for path in loading(work):
            typer.echo(str(path))
        return
    known = sorted(path.stem for path in shipped.glob("*.json"))
    if name is None:
        typer.echo("\n".join(known))
    elif name in known:
        typer.echo((shipped / f"{name}.json").read_text(encoding="utf-8"), nl=False)
    else:
        fail(f'schema "{name}": one of {", ".join(known)}', 2)
