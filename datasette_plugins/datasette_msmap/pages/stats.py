"""Statistics, with charts drawn here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render

_BY_RELEASE = """
SELECT r.name, e.outcome, count(*) FROM evidence e
JOIN release r ON r.framework = 'mindspore' AND r.name = e.mindspore GROUP BY r.id, 2 ORDER BY r.id
"""
_RELATIONS = """
SELECT p.relation, count(*) FROM parameter p JOIN target t ON t.id = p.target
WHERE t.rank = 1 AND p.side = 'arguments' GROUP BY 1
"""


def stats(ask: Ask) -> Answer:
    """All counts of the database."""
    counted = ask.kb.stats()
    by_release: dict[str, dict[str, int]] = {}
    for release, outcome, count in ask.served.rows(_BY_RELEASE):
        by_release.setdefault(release, {})[outcome] = count
    impacts = dict(ask.served.rows("SELECT impact, count(*) FROM caveat GROUP BY 1"))
    return render(
        ask,
        "stats.html",
        stats=counted,
        category=counts.parts(ask, "CATEGORIES", counted["category"]),
        verification=counts.parts(ask, "VERIFICATIONS", counted["verification"]),
        outcome=counts.parts(ask, "VERIFICATIONS", counted["outcome"]),
        impact=counts.parts(ask, "IMPACTS", impacts),
        verdict=counts.parts(ask, "VERDICTS", counted["verdict"]),
        relation=counts.parts(ask, "RELATIONS", dict(ask.served.rows(_RELATIONS))),
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
