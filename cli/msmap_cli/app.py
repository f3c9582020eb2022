"""The commands as Typer declares them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated

import typer

from msmap_cli.commands import (
    build,
    claims,
    draft,
    drift,
    evidence,
    explain,
    export,
    guide,
    lint,
    list,
    lookup,
    lsp,
    mutate,
    port,
    probe,
    samples,
    scan,
    schema,
    search,
    serve,
    signatures,
    stats,
    verify,
)

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.command()(lookup.lookup)
app.command()(search.search)
app.command()(explain.explain)
app.command("list")(list.list_records)
app.command()(port.port)
app.command()(scan.scan)
app.command()(drift.drift)
app.command()(stats.stats)
app.command()(guide.guide)
app.command()(claims.claims)
app.command()(serve.serve)
app.command()(export.export)
app.command()(lsp.lsp)
app.command()(build.build)
app.command()(lint.lint)
app.command()(signatures.signatures)
app.command()(verify.verify)
app.command()(mutate.mutate)
app.command()(probe.probe)
app.command()(draft.draft)
app.command()(samples.samples)
app.command()(schema.schema)
app.add_typer(evidence.app, name="evidence")


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


def run(arguments: Sequence[str]) -> int:
    """Run what the arguments ask for; the exit status."""
    output = sys.stdout
    try:
        return int(app(arguments, prog_name="msmap", standalone_mode=False) or 0)
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
        # Where standard error can't be written, the exit status must do.
        with suppress(OSError):
            show()
        return int(status)
