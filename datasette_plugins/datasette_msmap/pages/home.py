"""The first page: search, coverage and verification at a glance, the dangerous and the refuted."""

from __future__ import annotations

from dataclasses import replace

from datasette_msmap.pages.port import rewritten
from datasette_msmap.web import counts
from datasette_msmap.web.responses import BY_LANGUAGE, Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import model
from msmap.query.base import porting, records, statistics
from msmap.query.knowledge_base import KnowledgeBase


def home(ask: Ask) -> Answer:
    """The first page; ``lang`` among the arguments keeps it in English."""
    stats = ask.once(KnowledgeBase.stats)
    page = render(
        ask,
        "home.html",
        own_search=True,
        stats=stats,
        category=counts.parts(ask, "CATEGORIES", stats["category"]),
        verification=counts.parts(ask, "VERIFICATIONS", stats["verification"]),
        coverage=ask.once(statistics.namespaces)[:8],
        rewriting=rewritten(ask.served.once(_example, ask.device), ask.language),
        dangerous=ask.once(records.dangers),
        refuted=[c for c in ask.once(KnowledgeBase.claims) if c.verdict == "refuted"][:6],
        guides=ask.once(KnowledgeBase.guides),
        indexed=True,
    )
    # What is sent for the same address to who reads Chinese is another answer.
    return page if ask.language == "zh" else replace(page, headers=BY_LANGUAGE)


# What a default changes without a word, and what is only named otherwise.
EXAMPLE = "conv = torch.nn.Conv2d(3, 64, 7)\nx = torch.cat([a, b], dim=1)"


def _example(kb: KnowledgeBase) -> model.Port:
    return porting.attempt(kb, EXAMPLE)


PAGE = Page("/", home, args=("lang",))
