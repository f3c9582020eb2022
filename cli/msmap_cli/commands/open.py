"""The page of a name or a guide, in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from msmap_cli.opening import base
from msmap_cli.options import Lang, OnDevice
from msmap_cli.output import fail, show
from msmap_cli.settings import language


def open_page(
    name: Annotated[
        str | None, typer.Argument(help="A name in any usual spelling, or a guide; else the site.")
    ] = None,
    site: Annotated[
        str,
        typer.Option(envvar="MSMAP_SITE", help="Where the site is; `msmap serve` serves it there."),
    ] = "http://127.0.0.1:8001",
    printed: Annotated[
        bool, typer.Option("--print", help="Print the address, and open nothing.")
    ] = False,
    device: OnDevice = None,
    lang: Lang = None,
) -> None:
    """Open the page of a name or a guide in the browser.

    Exit status: 0 opened, 1 not found, or no browser.
    """
    from msmap_cli.speech import said

    address = _address(name, site.rstrip("/"), device or "", language(lang))
    if printed:
        show([f"{address}\n"])
        return
    import webbrowser

    if not webbrowser.open(address):
        fail(said("no browser can be started; the page is {}", address), 1)


def _address(name: str | None, site: str, device: str, language: str) -> str:
    """Where a page is; leave with status 1 if nothing is called so."""
    from urllib.parse import quote

    path = "/" if name is None else f"/{quote(_path(name, language), safe='/')}"
    prefix = "/zh" if language == "zh" else ""
    path = prefix if prefix and path == "/" else prefix + path
    return f"{site}{path}?device={device.lower()}" if device else f"{site}{path}"


def _path(name: str, language: str) -> str:
    from msmap.query.names import lookup as understood

    with base(language=language) as kb:
        if name in (guide.id for guide in kb.guides()):
            return f"guides/{name}"
        for answer in understood.answer(kb, name):
            if found := answer.record or answer.probe:
                return found.torch
            if answer.reverse is not None:
                return answer.reverse.api.name
            if answer.known:
                return answer.known
        return kb.lookup(name).torch
