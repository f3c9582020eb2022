"""The site's own files, and what search engines ask for."""

from __future__ import annotations

import mimetypes
from functools import cache
from pathlib import Path

from markupsafe import escape

from datasette_msmap.web import encoding
from datasette_msmap.web.responses import JSON, TEXT, Answer, Ask, View
from msmap.query.base.records import answered
from msmap.vocabulary import LANGUAGES

_STATIC = Path(__file__).parent.parent / "static"
_YEAR = 31_536_000
# What a search engine may not take for more than it is: endless filters, and Datasette's tables.
_CLOSED = ("/search", "/suggest", "/port", "/-/", "/{database}/")


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    """The static files by name, with their types."""
    types = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
    return {
        path.name: (
            path.read_bytes(),
            types.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain",
        )
        for path in _STATIC.iterdir()
        if path.is_file()
    }


def static(ask: Ask) -> Answer:
    """A file of the site; under an address with its version it never changes."""
    found = _files().get(ask.vars["file"])
    if found is None:
        return Answer("no such file\n", TEXT, 404)
    versioned = ask.args.get("v") == ask.served.version
    return Answer(*found, max_age=_YEAR if versioned else 300)


def robots(ask: Ask) -> Answer:
    """What may be crawled."""
    to = ask.to
    lines = ["User-agent: *"]
    for path in _CLOSED:
        lines.append(f"Disallow: {ask.root}{path.format(database=ask.served.database)}")
        if path in ("/search", "/port"):
            lines.append(f"Disallow: {ask.root}/zh{path}")
    lines.append(f"Sitemap: {to.absolute(to.page('/sitemap.xml'))}")
    return Answer("\n".join(lines) + "\n", TEXT)


def sitemap(ask: Ask) -> Answer:
    """All pages in both languages, each with the other as its alternate."""
    to = ask.to
    paths = [page.path for page in ask.pages if page.sitemap]
    paths += [f"/guides/{guide.id}" for guide in ask.kb.guides()]
    paths += [to.name(name).removeprefix(ask.root) for name in answered(ask.kb)]
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        ' xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ]
    for path in paths:
        places = {
            language: str(escape(to.absolute(to.page(path, language)))) for language in LANGUAGES
        }
        other = "".join(
            f'<xhtml:link rel="alternate" hreflang="{"zh-CN" if language == "zh" else "en"}"'
            f' href="{place}"/>'
            for language, place in places.items()
        )
        lines += [f"<url><loc>{place}</loc>{other}</url>" for place in places.values()]
    return Answer(
        "\n".join([*lines, "</urlset>", ""]), "application/xml; charset=utf-8", max_age=3600
    )


def health(ask: Ask) -> Answer:
    """Whether the database can be asked, for who watches the server; never kept."""
    told = {"status": "ok", "version": ask.served.version, "releases": ask.kb.releases()}
    return Answer(encoding.text(told) + "\n", JSON, max_age=0)


def icon(ask: Ask) -> Answer:
    """The icon where browsers look for one."""
    return Answer(*_files()["icon.svg"], max_age=86_400)


ROUTES: dict[str, View] = {
    r"^/-/health$": health,
    r"^/favicon\.ico$": icon,
    r"^/-/msmap/(?P<file>[^/]+)$": static,
    r"^/robots\.txt$": robots,
    r"^/sitemap\.xml$": sitemap,
}
