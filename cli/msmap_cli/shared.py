"""The options that every command has, and that stand before it too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from msmap_cli.options import Lang

if TYPE_CHECKING:
    from collections.abc import Mapping

When = Literal["auto", "always", "never"]


def _help(ctx: typer.Context, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from msmap_cli import helping

        helping.show(ctx)
        raise typer.Exit


def _options(
    color: Annotated[
        When,
        typer.Option(help="When to write colours; NO_COLOR and FORCE_COLOR are heeded by auto."),
    ] = "auto",
    no_pager: Annotated[
        bool,
        typer.Option(
            "--no-pager",
            help="Print what is longer than the screen; else $MSMAP_PAGER or $PAGER shows it.",
        ),
    ] = False,
    lang: Lang = None,
    wanted: Annotated[
        bool,
        typer.Option("--help", "-h", is_eager=True, callback=_help, help="Show this and exit."),
    ] = False,
) -> None:
    """Hold what ``settings`` has read before anything else: here it is declared and checked."""


def added(app: typer.Typer) -> Any:
    """The program that Typer makes, every command with those options too."""
    program = typer.main.get_command(app)
    for command in _every(program):
        own = {param.name: param for param in command.params}
        for param in _params():
            if param.name not in own:
                param.expose_value = False
                command.params.append(param)
        command.add_help_option = False
    return program


def _params() -> list[Any]:
    alone = typer.Typer(add_completion=False)
    alone.command(add_help_option=False)(_options)
    return list(typer.main.get_command(alone).params)


def _every(command: Any) -> Iterator[Any]:
    """A command, and all that are in it."""
    yield command
    inside: Mapping[str, Any] = getattr(command, "commands", {})
    for other in inside.values():
        yield from _every(other)
