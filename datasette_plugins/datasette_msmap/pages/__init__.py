"""The pages of the site, in English and below /zh in Chinese: each module that has a ``PAGE``."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import replace
from importlib import import_module
from typing import Any

from datasette_msmap.pages import files, record
from datasette_msmap.web.responses import Answer, Ask, Page, View, view


def _found() -> tuple[Page, ...]:
    modules = (
        import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
    )
    pages = [module.PAGE for module in modules if hasattr(module, "PAGE")]
    return tuple(sorted(pages, key=lambda page: page.nav))


PAGES = _found()


def _told(make: View) -> View:
    """A view that knows what other pages there are."""

    def told(ask: Ask) -> Answer:
        return make(replace(ask, pages=PAGES))

    return told


def _route(pattern: str, make: View, slow: bool = False) -> tuple[str, Any]:
    """A route for both languages; ``pattern`` starts with a slash."""
    whole = r"/(?:(?P<zh>zh)/?)?" if pattern == "/" else rf"(?P<zh>/zh)?{pattern}"
    return f"^{whole}$", view(_told(make), slow)


ROUTES: list[tuple[str, Any]] = [
    *((pattern, view(_told(make))) for pattern, make in files.ROUTES.items()),
    *(
        _route(pattern, make, page.slow)
        for page in PAGES
        for pattern, make in {page.path: page.make, **page.also}.items()
    ),
]


def anything_else(datasette: Any) -> tuple[str, Any]:
    """Names of either framework, and all that is not there; Datasette's own pages excepted."""
    stock = "|".join(re.escape(name) for name in ["-", ":memory:", *datasette.databases])
    return _route(rf"/(?!(?:{stock})(?:[./]|$)|favicon\.ico$)(?P<name>.*)", record.named)
