"""What makes a shell complete commands, options and names."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from msmap_cli.output import show

Shell = Literal["bash", "zsh", "fish"]


def completion(
    shell: Annotated[Shell, typer.Argument(help="The shell that is to complete.")],
) -> None:
    """Print what makes a shell complete commands, options, and names in every spelling.

    In ~/.bashrc: eval "$(msmap completion bash)". In ~/.zshrc, behind compinit: eval "$(msmap
    completion zsh)". For fish: msmap completion fish > ~/.config/fish/completions/msmap.fish
    """
    from msmap_cli.scripts import SCRIPTS

    show([SCRIPTS[shell]])
