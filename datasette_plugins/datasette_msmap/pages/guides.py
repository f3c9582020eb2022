"""Guides: topics that are no single API."""

from __future__ import annotations

from datasette_msmap.pages import record, record_sheet
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.errors import NotFound
from msmap.query.base import records
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names import answers


def guides(ask: Ask) -> Answer:
    """All guides."""
    return render(ask, "guides.html", guides=ask.once(KnowledgeBase.guides))


def guide(ask: Ask) -> Answer:
    """One guide, each section with its code and checks."""
    try:
        found = ask.kb.guide(ask.vars["guide"])
    except NotFound as error:
        return _missing(ask, error)
    outcomes = records.outcomes(ask.kb, f"guide:{found.id}")
    known = ask.kb.known_releases()
    proofs = {s.id: record_sheet.proofs(s.checks, outcomes, known) for s in found.sections}
    categories = ask.once(records.categories)
    return render(
        ask, "guide.html", guide=found, proofs=proofs, categories=categories,
        summed=record_sheet.summed, folded=record_sheet.folded, at=ask.to.guide_checks(found.id),
        related=[
            g for g in ask.once(KnowledgeBase.guides)
            if set(g.records) & set(found.records) and g != found
        ],
    )  # fmt: skip


def checks(ask: Ask) -> Answer:
    """All checks of a guide unfolded: what its page fetches when one of them is opened."""
    try:
        found = ask.kb.guide(ask.vars["guide"])
    except NotFound as error:
        return _missing(ask, error)
    told = [check for section in found.sections for check in section.checks]
    return render(
        ask, "checks.html", owner=found.title.get(ask.language), back=ask.to.guide(found.id),
        guide=found, summed=record_sheet.summed, indexed=False,
        proofs=record_sheet.proofs(
            told, records.outcomes(ask.kb, f"guide:{found.id}"), ask.kb.known_releases()
        ),
    )  # fmt: skip


def _missing(ask: Ask, error: NotFound) -> Answer:
    name = ask.vars["guide"]
    return record.missing(ask, name, answers.Answer(name, False, guides=error.nearest), "other")


PAGE = Page("/guides", guides, nav=2, also={"/guides/(?P<guide>[^/]+)": guide})
