"""Guides: topics that are no single API."""

from __future__ import annotations

from datasette_msmap.pages import record as records
from datasette_msmap.pages import record_sheet as sheet
from datasette_msmap.web.responses import Answer, Ask
from datasette_msmap.web.templating import render
from msmap.errors import NotFound
from msmap.query import answers


def listed(ask: Ask) -> Answer:
    """All guides."""
    return render(ask, "guides.html", guides=ask.kb.guides())


def shown(ask: Ask) -> Answer:
    """One guide, each section with its code and checks."""
    name = ask.vars["guide"]
    try:
        guide = ask.kb.guide(name)
    except NotFound as error:
        return records.missing(ask, name, answers.Answer(name, False, guides=error.nearest))
    outcomes = records.outcomes(ask, f"guide:{guide.id}")
    proofs = {s.id: sheet.proofs(s.checks, outcomes) for s in guide.sections}
    categories = dict(ask.served.rows("SELECT torch, category FROM record"))
    return render(
        ask, "guide.html", guide=guide, proofs=proofs, categories=categories,
        related=[g for g in ask.kb.guides() if set(g.records) & set(guide.records) and g != guide],
    )  # fmt: skip
