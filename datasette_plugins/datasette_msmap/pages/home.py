"""The first page: search, coverage and verification at a glance, the dangerous and the refuted."""

from __future__ import annotations

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.query import records, statistics


def home(ask: Ask) -> Answer:
    """The first page."""
    stats = ask.kb.stats()
    return render(
        ask,
        "home.html",
        own_search=True,
        stats=stats,
        category=counts.parts(ask, "CATEGORIES", stats["category"]),
        verification=counts.parts(ask, "VERIFICATIONS", stats["verification"]),
        coverage=statistics.namespaces(ask.kb)[:8],
        dangerous=records.dangers(ask.kb),
        refuted=ask.kb.claims(verdict="refuted")[:6],
        guides=ask.kb.guides(),
    )


PAGE = Page("/", home)
