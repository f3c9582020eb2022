"""The commands as Typer declares them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from msmap_cli import shared
from msmap_cli.commands import (
    build,
    claims,
    compare,
    completion,
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
    mcp,
    mutate,
    open,
    port,
    probe,
    record,
    samples,
    scan,
    schema,
    search,
    serve,
    signatures,
    stats,
    verify,
    weights,
)

app = typer.Typer(
    no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    add_completion=False,
)  # fmt: skip
app.command()(lookup.lookup)
app.command()(search.search)
app.command()(explain.explain)
app.command("list")(list.list_records)
app.command()(port.port)
app.command()(scan.scan)
app.command()(compare.compare)
app.command()(record.record)
app.command()(weights.weights)
app.command()(drift.drift)
app.command()(stats.stats)
app.command()(guide.guide)
app.command()(claims.claims)
app.command()(serve.serve)
app.command()(export.export)
app.command()(completion.completion)
app.command("open")(open.open_page)
app.command()(lsp.lsp)
app.command()(mcp.mcp)
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
        bool,
        typer.Option(
            "--version", "-V", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """How PyTorch's APIs map to MindSpore's, in records whose every claim can be run.

    `msmap NAME` is `msmap lookup NAME`, `msmap help COMMAND` is `msmap COMMAND --help`.
    """


def run(arguments: Sequence[str]) -> int:
    """Run what the arguments ask for; the exit status."""
    output = sys.stdout
    try:
        program = shared.added(app)
        return int(program(arguments, prog_name="msmap", standalone_mode=False) or 0)
    except SystemExit:
        # Typer makes a closed pipe an error, and shows it by swapping standard output.
        if sys.stdout is output:
            raise
        sys.stdout = output
        raise BrokenPipeError from None
    except Exception as error:
        # Typer keeps its click to itself: its usage errors are known by what they can do.
        status = getattr(error, "exit_code", None)
        if not hasattr(error, "show") or status is None:
            raise
        _tell(error)
        return int(status)


def _tell(error: Any) -> None:
    """Say what is wrong with the arguments; without any, what there are."""
    if type(error).__name__ == "NoArgsIsHelpError":
        from msmap_cli import helping

        helping.show(error.ctx)
        return
    from msmap_cli import misused, output

    for told in misused.lines(error):
        output.say(told)
