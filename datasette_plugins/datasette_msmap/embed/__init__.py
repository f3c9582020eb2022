"""What other sites show of a record: a card, a badge, oEmbed; and their routes."""

from __future__ import annotations

from typing import Any

from datasette_msmap.embed import badge, card, oembed
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import told
from datasette_msmap.web.responses import View, view


def _route(pattern: str, make: View) -> tuple[str, Any]:
    return pattern, view(told(make), shared=True, refuse=encoding.refusal)


ROUTES: list[tuple[str, Any]] = [
    _route(r"^/embed/card\.css$", card.style),
    _route(r"^/embed/(?P<name>[^/]+)$", card.card),
    _route(r"^/badge/(?P<name>[^/]+)\.svg$", badge.badge),
    _route(r"^/oembed$", oembed.oembed),
]
