"""Search from the address bar: what browsers and others are told of it, and what it may mean."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from datasette_msmap.web import encoding, texts
from datasette_msmap.web.responses import Answer, Ask
from datasette_msmap.web.unseen import clean
from msmap.query.names.suggest import suggest

_LONGEST = 500


def description(ask: Ask) -> Answer:
    """The OpenSearch description of the site, in the language of the address."""
    to = ask.to
    title = f"msmap ({'中文' if ask.language == 'zh' else 'English'})"
    addresses = (
        ("text/html", f"{to.absolute(to.page('/search'))}?q={{searchTerms}}"),
        (
            "application/x-suggestions+json",
            f"{to.absolute(to.page('/opensearch.json'))}?q={{searchTerms}}",
        ),
    )
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
        f"<ShortName>{title}</ShortName>",
        f"<Description>{escape(texts.get('search.label', ask.language))}</Description>",
        f"<Language>{'zh-CN' if ask.language == 'zh' else 'en'}</Language>",
        "<InputEncoding>UTF-8</InputEncoding>",
        *(f'<Url type="{kind}" template={quoteattr(place)}/>' for kind, place in addresses),
        "</OpenSearchDescription>",
        "",
    ]
    return Answer(
        "\n".join(lines), "application/opensearchdescription+xml; charset=utf-8", max_age=3600
    )


def suggestions(ask: Ask) -> Answer:
    """What may be meant, as browsers ask for it: the question, names, what each is, addresses."""
    text = " ".join(ask.args.get("q", "").split())[:_LONGEST]
    found = suggest(ask.kb, text) if text else []
    to = ask.to
    places = [to.guide(s.name) if s.kind == "guide" else to.name(s.name) for s in found]
    told = [
        text,
        [clean(s.name) for s in found],
        [clean(s.text.get(ask.language)) for s in found],
        [to.absolute(place) for place in places],
    ]
    return Answer(encoding.text(told) + "\n", "application/x-suggestions+json; charset=utf-8")
