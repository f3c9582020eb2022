"""The pages of the site, in English and below /zh in Chinese: each module that has a ``PAGE``."""

from __future__ import annotations

import pkgutil
from dataclasses import replace
from importlib import import_module

from datasette_msmap.pages import files, guides, record, refused
from datasette_msmap.web.responses import Answer, Ask, Page, View
from datasette_msmap.web.routing import Route, route


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


def page_route(
    pattern: str,
    make: View,
    args: tuple[str, ...] = (),
    **more: bool,
) -> Route:
    """A route for both languages; ``pattern`` starts with a slash."""
    whole = r"/(?:(?P<zh>zh)/?)?" if pattern == "/" else rf"(?P<zh>/zh)?{pattern}"
    read = (*args, "device")
    greets = pattern == "/"
    return route(f"^{whole}$", _told(make), read, greets=greets, refuse=_refuse, **more)


def _refuse(ask: Ask, status: int, message: str) -> Answer:
    return refused.refused(replace(ask, pages=PAGES), status, message)


# The last takes names of either framework, and all that is not there.
ROUTES: list[Route] = [
    *(
        route(pattern, _told(make), ("v",), aside=make is files.sitemap)
        for pattern, make in files.ROUTES.items()
    ),
    *(
        page_route(pattern, make, page.args, slow=page.slow, aside=page.aside)
        for page in PAGES
        for pattern, make in {page.path: page.make, **page.also}.items()
    ),
    page_route("/guides/(?P<guide>[^/]+)/checks", guides.checks, aside=True),
    page_route("/(?P<name>[^/]+)/checks", record.checks, record.ARGS, aside=True),
    page_route("/(?P<name>.*)", record.named, record.ARGS),
]
