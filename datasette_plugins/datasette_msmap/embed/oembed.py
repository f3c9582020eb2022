"""oEmbed: what another site needs to show a page of ours as a card."""

from __future__ import annotations

import re
from dataclasses import replace
from html import escape
from urllib.parse import parse_qsl, unquote, urlsplit

from datasette_msmap.embed import card
from datasette_msmap.embed.subjects import said, short, subject
from datasette_msmap.web import encoding
from datasette_msmap.web.refusals import Refused, wrong
from datasette_msmap.web.responses import DEVICES, JSON, Answer, Ask

_WIDTH, _HEIGHT = 560, 320
_LEAST = 120


def oembed(ask: Ask) -> Answer:
    """The card of the page at ``url`` as oEmbed 1.0 has it, in JSON."""
    if ask.args.get("format", "json") != "json":
        raise Refused(501, "only format=json")
    url = ask.args.get("url")
    if not url:
        raise Refused(400, "url is missing: the address of a page of this site")
    name, language, theme, device = _meant(ask, url)
    found = subject(replace(ask, device=device), name)
    told = said(found, language)
    if told is None:
        raise Refused(404, "there is no such page", found.nearest)
    width = min(_WIDTH, _size(ask, "maxwidth", _WIDTH))
    height = min(_HEIGHT, _size(ask, "maxheight", _HEIGHT))
    title = short(f"{found.name}: {told}", 200)
    source = f"{ask.site}{card.address(ask, found.name, theme, language, device)}"
    frame = (
        f'<iframe src="{escape(source)}" width="{width}" height="{height}" title="{escape(title)}"'
        ' loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"'
        ' style="border:0"></iframe>'
    )
    answer = {
        "type": "rich",
        "version": "1.0",
        "title": title,
        "provider_name": "msmap",
        "provider_url": f"{ask.site}{ask.root}/",
        "cache_age": 86_400,
        "html": frame,
        "width": width,
        "height": height,
    }
    return Answer(encoding.text(answer) + "\n", JSON, shared=True)


def _meant(ask: Ask, url: str) -> tuple[str, str, str, str]:
    """The name, language, theme and device of an address of this site: a page or a card.

    Raises:
        Refused: it is of another site, or of no name.
    """
    try:
        told = urlsplit(url)
    except ValueError:
        raise Refused(400, "url is no address") from None
    if told.scheme not in ("http", "https") or told.netloc != urlsplit(ask.site).netloc:
        raise Refused(404, "url is of another site")
    path = told.path.removeprefix(ask.root) if told.path.startswith(ask.root + "/") else ""
    found = re.fullmatch(r"/(?:(zh|embed)/)?([^/]+)", path)
    if found is None:
        raise Refused(404, "only pages and cards of names can be shown elsewhere")
    kind, name = found.groups()
    asked = dict(parse_qsl(told.query, max_num_fields=20))
    device = DEVICES.get(asked.get("device", "").lower(), "")
    own = asked if kind == "embed" else {}
    language = "zh" if kind == "zh" or own.get("lang") == "zh" else "en"
    theme = own.get("theme", "auto")
    if theme not in card.THEMES:
        raise wrong("theme", theme, card.THEMES)
    return unquote(name), language, theme, device


def _size(ask: Ask, name: str, default: int) -> int:
    value = ask.args.get(name, str(default))
    if not re.fullmatch(r"[0-9]{1,5}", value):
        raise Refused(400, f"{name}: a number of pixels")
    return max(int(value), _LEAST)
