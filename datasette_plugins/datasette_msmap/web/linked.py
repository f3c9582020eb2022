"""What search engines and previews of links are told of a page."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from datasette_msmap.web import encoding
from datasette_msmap.web.responses import Ask

_LICENCE = "https://creativecommons.org/publicdomain/zero/1.0/"
# What a page is to schema.org, by its template; the others are pages.
_KINDS = {
    "record.html": "APIReference",
    "probe.html": "APIReference",
    "reverse.html": "APIReference",
    "guide.html": "TechArticle",
    "home.html": "WebSite",
    "data.html": "Dataset",
}


def data(ask: Ask, template: str, address: str, title: Markup, description: Markup) -> Markup:
    """A page as JSON-LD, which nothing in it can leave.

    ``title`` and ``description`` are as they stand in the page.
    """
    kind = _KINDS.get(template, "WebPage")
    told: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": kind,
        "name": Markup(title).unescape(),
        "description": Markup(description).unescape(),
        "inLanguage": "zh-CN" if ask.language == "zh" else "en",
        "url": ask.to.absolute(address),
        "license": _LICENCE,
    }
    home = ask.to.absolute(ask.to.page("/"))
    if kind == "WebSite":
        search = f"{ask.to.absolute(ask.to.page('/search'))}?q={{words}}"
        told["potentialAction"] = {
            "@type": "SearchAction", "target": search, "query-input": "required name=words",
        }  # fmt: skip
    else:
        told["isPartOf"] = {"@type": "WebSite", "name": "msmap", "url": home}
    if kind == "Dataset":
        told["distribution"] = [
            {
                "@type": "DataDownload",
                "encodingFormat": form,
                "contentUrl": ask.to.absolute(f"{ask.root}/{place}"),
            }
            for form, place in _FORMS.items()
        ]
    return Markup(encoding.text(told))


_FORMS = {
    "application/vnd.sqlite3": "msmap.db",
    "application/x-ndjson": "api/v1/records.ndjson",
}
