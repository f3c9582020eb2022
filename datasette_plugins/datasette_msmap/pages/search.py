"""Search: names in any spelling, words in both languages, and what was probably meant."""

from __future__ import annotations

from datasette_msmap.web import encoding
from datasette_msmap.web.responses import JSON, Answer, Ask, Page, redirect
from datasette_msmap.web.templating import render
from datasette_msmap.web.unseen import clean
from msmap import model
from msmap.query.base import probes
from msmap.query.names.suggest import answerable, suggest

LONGEST = 500
# As many are shown.
MOST = 50
KINDS = ("record", "guide", "probe")


def search(ask: Ask) -> Answer:
    """Results for words, the exact name first; without results the nearest names.

    A name in full, in whatever form it was pasted, leads to its page.
    """
    text = " ".join(ask.args.get("q", "").split())[:LONGEST]
    kind = ask.args.get("kind")
    found = ask.kb.search(text, MOST, kind if kind in KINDS else None) if text else []
    named = [hit.name for hit in found if hit.by == "name"]
    if len(named) == 1 and ("." in text or "(" in text):
        return redirect(ask.to.name(named[0]), permanent=False)
    hits = [hit for hit in found if hit.by != "guess"]
    exact = answerable(ask.kb, text)
    if exact in named[1:]:
        # Of names that end so, another one is what is meant more likely.
        exact = None
    near = () if exact or not text else ask.kb.nearest(text)
    return render(
        ask,
        "search.html",
        text=text,
        own_search=True,
        hits=[hit for hit in hits if hit.name != exact],
        kind=kind,
        kinds=[*KINDS],
        count=len(hits),
        more=len(found) == MOST,
        exact=exact,
        summary=_summary(ask, exact) if exact else None,
        probe=_probe(ask, exact) if exact else None,
        near=near if len(hits) < 3 else (),
        indexed=False,
    )


def _summary(ask: Ask, name: str) -> model.Summary | None:
    record = ask.kb.find(name)
    return model.summary(record, next(iter(record.targets), None)) if record else None


def _probe(ask: Ask, name: str) -> model.Hit | None:
    return probes.hit(ask.kb.rows, name) if ask.kb.tried(name) is not None else None


def suggestions(ask: Ask) -> Answer:
    """What may be meant by what has been typed so far, as JSON."""
    text = " ".join(ask.args.get("q", "").split())[:LONGEST]
    to = ask.to
    listed = [
        {
            "name": clean(found.name),
            "kind": found.kind,
            "text": clean(found.text.get(ask.language)),
            "url": to.guide(found.name) if found.kind == "guide" else to.name(found.name),
        }
        for found in (suggest(ask.kb, text) if text else ())
    ]
    return Answer(encoding.text({"q": text, "suggestions": listed}), JSON)


PAGE = Page(
    "/search",
    search,
    sitemap=False,
    aside=True,
    also={"/suggest": suggestions},
    args=("q", "kind"),
)
