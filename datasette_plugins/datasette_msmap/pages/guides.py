"""Guides: topics that are no single API."""

from __future__ import annotations

from datasette_msmap.pages import record, record_sheet
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.errors import NotFound
from msmap.query import answers, records
from msmap.query.knowledge_base import KnowledgeBase


def guides(ask: Ask) -> Answer:
    """All guides."""
    return render(ask, "guides.html", guides=ask.once(KnowledgeBase.guides))


def guide(ask: Ask) -> Answer:
    """One guide, each section with its code and checks."""
    name = ask.vars["guide"]
    try:
        found = ask.kb.guide(name)
    except NotFound as error:
        return record.missing(ask, name, answers.Answer(name, False, guides=error.nearest), "other")
    outcomes = records.outcomes(ask.kb, f"guide:{found.id}")
    proofs = {s.id: record_sheet.proofs(s.checks, outcomes) for s in found.sections}
    categories = ask.once(records.categories)
    return render(
        ask, "guide.html", guide=found, proofs=proofs, categories=categories,
        summed=record_sheet.summed,
        related=[
            g for g in ask.once(KnowledgeBase.guides)
            if set(g.records) & set(found.records) and g != found
        ],
    )  # fmt: skip


PAGE = Page("/guides", guides, nav=2, also={"/guides/(?P<guide>[^/]+)": guide})
