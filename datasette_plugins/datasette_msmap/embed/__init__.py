"""What other sites show of a record: a card, a badge, a picture, oEmbed; and their routes."""

from __future__ import annotations

from datasette_msmap.embed import badge, card, oembed, picture
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import told
from datasette_msmap.web.responses import View
from datasette_msmap.web.routing import Route, route


def _route(pattern: str, make: View, *args: str, slow: bool = False) -> Route:
    return route(pattern, told(make), args, slow=slow, shared=True, refuse=encoding.refusal)


ROUTES: list[Route] = [
    _route(r"^/embed/card\.css$", card.style, "v"),
    _route(r"^/embed/(?P<name>[^/]+)$", card.card, "theme", "lang", "device"),
    _route(r"^/badge/(?P<name>[^/]+)\.svg$", badge.badge, "lang"),
    _route(r"^/badge/(?P<name>[^/]+)\.json$", badge.shield, "lang"),
    _route(r"^/preview/(?P<name>[^/]+)\.png$", picture.picture, slow=True),
    _route(r"^/oembed$", oembed.oembed, "url", "format", "maxwidth", "maxheight"),
]
