"""The first page: search, coverage and verification at a glance, the dangerous and the refuted."""

from __future__ import annotations

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render

# One silent difference a record, none twice; those of other defaults, places or values first.
_DANGEROUS = """
WITH ranked AS (
  SELECT c.torch, c.slug, c.text_en, c.text_zh, r.mindspore, r.kind,
    EXISTS (SELECT 1 FROM target t JOIN parameter p ON p.target = t.id
      WHERE t.torch = c.torch AND t.rank = 1 AND p.torch = c.parameter
      AND p.relation IN ('default_differs', 'value_transformed', 'reordered')) AS trap,
    count(*) OVER (PARTITION BY c.torch) AS silent,
    row_number() OVER (PARTITION BY c.text_en ORDER BY c.torch) AS told,
    row_number() OVER (PARTITION BY c.torch ORDER BY c.parameter = '', c.id) AS place
  FROM caveat c JOIN record r ON r.torch = c.torch WHERE c.impact = 'silent'
)
SELECT torch, slug, text_en, text_zh, mindspore FROM ranked WHERE place = 1 AND told = 1
ORDER BY trap DESC, kind = 'class' DESC, silent DESC, torch LIMIT 8
"""


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
        coverage=counts.namespaces(ask)[:8],
        dangerous=ask.served.rows(_DANGEROUS),
        refuted=ask.kb.claims(verdict="refuted")[:6],
        guides=ask.kb.guides(),
    )


PAGE = Page("/", home)
