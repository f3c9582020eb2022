"""The commands as Typer declares them."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from msmap_cli import curate, quick, reading
from msmap_cli.commands import evidence
from msmap_cli.options import Device, Form, Format, Lang, MindSpore

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(curate.app)
app.add_typer(evidence.app, name="evidence")


def _complete(incomplete: str) -> list[str]:
    with reading.base() as kb:
        return kb.completions(incomplete)


def _version(wanted: bool) -> None:
    if wanted:
        from msmap import __version__

        typer.echo(f"msmap {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """How PyTorch's APIs map to MindSpore's, in records whose every claim can be run."""


@app.command()
def lookup(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Names in any usual spelling; - reads names from standard input.",
            autocompletion=_complete,
        ),
    ],
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show what a PyTorch API becomes, or what a MindSpore API was.

    Exit status: 0 found, 1 not found, 2 wrong usage.
    """
    reading.lookup(names, mindspore, form.value, quick.language(lang))


@app.command()
def search(
    words: Annotated[list[str], typer.Argument(help="Words in English or Chinese, or names.")],
    limit: Annotated[int, typer.Option(min=1, help="How many results at most.")] = 20,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Find records and guides by words, best first."""
    reading.search(" ".join(words), limit, form.value, quick.language(lang))


@app.command("list")
def list_records(
    namespace: Annotated[
        str | None, typer.Option(help="Such as torch.nn, with what is below.")
    ] = None,
    category: Annotated[str | None, typer.Option(help="Such as default_differs.")] = None,
    verification: Annotated[str | None, typer.Option(help="Such as verified.")] = None,
    device: Annotated[Device | None, typer.Option(help="Where the best target runs.")] = None,
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """List records, one a line; filters add up."""
    filters = {
        "namespace": namespace,
        "category": category,
        "verification": verification,
        "device": device.value if device else None,
    }
    reading.list_records(filters, mindspore, form.value, quick.language(lang))


@app.command()
def port(
    code: Annotated[str, typer.Argument(help="A PyTorch call, or - for code on standard input.")],
    mindspore: MindSpore = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Rewrite a PyTorch call for MindSpore, or say why it can't be carried over.

    Exit status: 0 ported, 1 refused, 2 not Python.
    """
    reading.port(code, mindspore, form.value, quick.language(lang))


@app.command()
def drift(
    before: Annotated[str, typer.Argument(metavar="FROM", help="A MindSpore release, as 2.8.")],
    after: Annotated[str, typer.Argument(metavar="TO", help="Another one.")],
    names: Annotated[
        int,
        typer.Option(min=0, help="How many names of each kind to list that no record maps to."),
    ] = 0,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show what changes between two MindSpore releases: records, names, signatures.

    Exit status: 0 whatever changes, 2 if a release is not known.
    """
    from msmap_cli import drifting

    drifting.run(before, after, names, form.value, quick.language(lang))


@app.command()
def stats(form: Form = Format.text, lang: Lang = None) -> None:
    """Count names, records, checks and outcomes."""
    reading.stats(form.value, quick.language(lang))


@app.command()
def guide(
    name: Annotated[str | None, typer.Argument(help="A guide; all are listed if left out.")] = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """Show a guide on a topic that is no single API."""
    reading.guide(name, form.value, quick.language(lang))


@app.command()
def claims(
    topic: Annotated[str | None, typer.Argument(help="A topic; all if left out.")] = None,
    verdict: Annotated[
        str | None, typer.Option(help="holds, held_until, refuted or not_testable.")
    ] = None,
    source: Annotated[str | None, typer.Option(help="The document, by its id.")] = None,
    about: Annotated[str | None, typer.Option(help="A name of either framework.")] = None,
    form: Form = Format.text,
    lang: Lang = None,
) -> None:
    """List statements of MindSpore's documents, each with what running it showed.

    Exit status: 0 found, 1 nothing fits, 2 wrong usage.
    """
    from msmap_cli import claiming

    filters = {"topic": topic, "verdict": verdict, "source": source, "about": about}
    claiming.run(filters, form.value, quick.language(lang))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The port; 0 takes any that is free.")
    ] = 8001,
) -> None:
    """Serve the site: pages, the JSON API, and Datasette's tables.

    Exit status: 1 if the database can't be read or the port is taken.
    """
    reading.serve(host, port)


def run() -> int:
    """Run what the command line asks for; the exit status."""
    output = sys.stdout
    try:
        return int(app(prog_name="msmap", standalone_mode=False) or 0)
    except SystemExit:
        # Typer makes a closed pipe an error, and shows it by swapping standard output.
        if sys.stdout is output:
            raise
        sys.stdout = output
        raise BrokenPipeError from None
    except Exception as error:
        # Typer keeps its click to itself: its usage errors are known by what they can do.
        show, status = getattr(error, "show", None), getattr(error, "exit_code", None)
        if show is None or status is None:
            raise
        show()
        return int(status)
