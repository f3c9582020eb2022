"""The first page: search, coverage and verification at a glance, the dangerous and the refuted."""

from __future__ import annotations

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.query import records, statistics
from msmap.query.knowledge_base import KnowledgeBase


def home(ask: Ask) -> Answer:
    """The first page."""
    stats = ask.once(KnowledgeBase.stats)
    return render(
        ask,
        "home.html",
        own_search=True,
        stats=stats,
        category=counts.parts(ask, "CATEGORIES", stats["category"]),
        verification=counts.parts(ask, "VERIFICATIONS", stats["verification"]),
        coverage=ask.once(statistics.namespaces)[:8],
        dangerous=ask.once(records.dangers),
        refuted=[c for c in ask.once(KnowledgeBase.claims) if c.verdict == "refuted"][:6],
        guides=ask.once(KnowledgeBase.guides),
    )


PAGE = Page("/", home)
