"""Statistics, with charts drawn here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.query.base import statistics
from msmap.query.knowledge_base import KnowledgeBase


def stats(ask: Ask) -> Answer:
    """All counts of the database."""
    counted = ask.once(KnowledgeBase.stats)
    by_release = ask.once(statistics.outcomes_by_release)
    return render(
        ask,
        "stats.html",
        stats=counted,
        basis=counts.parts(ask, "BASES", counted["basis"]),
        category=counts.parts(ask, "CATEGORIES", counted["category"]),
        verification=counts.parts(ask, "VERIFICATIONS", counted["verification"]),
        outcome=counts.parts(ask, "VERIFICATIONS", counted["outcome"]),
        impact=counts.parts(ask, "IMPACTS", ask.once(statistics.impacts)),
        verdict=counts.parts(ask, "VERDICTS", counted["verdict"]),
        relation=counts.parts(ask, "RELATION_WORDS", ask.once(statistics.relations)),
        by_release={
            r: counts.parts(ask, "VERIFICATIONS", found) for r, found in by_release.items()
        },
        outcomes=counts.parts(ask, "VERIFICATIONS", _sum(by_release.values())),
        variants={
            name: counts.parts(ask, "VARIANT_OUTCOMES", found)
            for name, found in counted["variants"].items()
        },
    )


def _sum(found: Iterable[dict[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for outcomes in found:
        total.update(outcomes)
    return total


PAGE = Page("/stats", stats, nav=6)
