"""All addresses of the site, in the order in which they are tried."""

from __future__ import annotations

from datasette_msmap import api, embed, pages
from datasette_msmap.web.responses import Answer, Ask

ROUTES = [*api.ROUTES, *embed.ROUTES, *pages.ROUTES]


def made(number: int, ask: Ask) -> Answer:
    """The answer of the route of a number."""
    return ROUTES[number].make(ask)
