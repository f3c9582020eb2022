"""The language server."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap.messages import Message
from msmap_cli import serving
from msmap_cli.opening import base, needing
from msmap_cli.options import Device, Lang, MindSpore
from msmap_cli.output import Leave, fail
from msmap_cli.settings import language


def lsp(
    lang: Lang = None,
    device: Annotated[
        Device | None,
        typer.Option(
            "--device", "-d", envvar="MSMAP_DEVICE", case_sensitive=False,
            help="What is best and what bites there; that of [tool.msmap] if left out.",
        ),
    ] = None,
    mindspore: MindSpore = None,
    site: Annotated[
        str, typer.Option(metavar="URL", help="A site of msmap's, to which names lead.")
    ] = "",
) -> None:  # fmt: skip
    """Serve an editor on standard input and output, by the Language Server Protocol.

    Hovers say what a name or a call becomes and what bites in it, diagnostics are those of scan,
    code actions port a call or the file. The editor's own settings come before the options.

    Exit status: 0 the editor said goodbye, 1 it left without, 2 wrong usage.
    """
    with needing("editor", "serving an editor"):
        from msmap.editor import server, settings
    wanted, wrong = settings.changed(
        settings.Settings(language="zh" if language(lang) == "zh" else "en"),
        {"device": device, "mindspore": mindspore, "site": site},
    )
    if wrong:
        fail(Message("--{}", wrong[0]), 2)
    # What can't be answered from is told before an editor waits for it.
    with base(mindspore, device=device):
        pass
    serving.quiet()
    raise Leave(server.serve(wanted))
