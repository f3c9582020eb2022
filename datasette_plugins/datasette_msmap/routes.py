"""All addresses of the site, in the order in which they are tried."""

from __future__ import annotations

from datasette_msmap import api, embed, pages, taken
from datasette_msmap.pages import browse
from datasette_msmap.web import templating
from datasette_msmap.web.responses import Answer, Ask
from datasette_msmap.web.served import Served
from msmap.query.base import records, statistics, tables
from msmap.query.drift import dates as changes
from msmap.query.knowledge_base import KnowledgeBase

# What the rooms of the site, which don't know each other, have between them.
_BETWEEN = [pages.page_route("/api", api.reference)]
ROUTES = [*_BETWEEN, *api.ROUTES, *embed.ROUTES, *taken.ROUTES, *pages.ROUTES]


# What every page or the most asked need of the database.
_NEEDED = (
    KnowledgeBase.releases, KnowledgeBase.stats, KnowledgeBase.guides, KnowledgeBase.claims,
    KnowledgeBase.tables, KnowledgeBase.sources, statistics.namespaces, statistics.impacts,
    statistics.relations, statistics.outcomes_by_release, statistics.mindspore_covered,
    records.dangers, records.categories, records.Relatives,
    changes.day, tables.tables, browse.prepared,
)  # fmt: skip


def prepare(served: Served) -> None:
    """Have ready what all answers share, so that processes that are forked then have it too."""
    templating.compile_all()
    for needed in _NEEDED:
        served.once(needed)
    served.rest()


def made(number: int, ask: Ask) -> Answer:
    """The answer of the route of a number."""
    return ROUTES[number].make(ask)
