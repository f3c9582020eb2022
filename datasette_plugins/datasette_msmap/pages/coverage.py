"""What of PyTorch has a record, and what of the tested documents is covered."""

from __future__ import annotations

from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.query.base import statistics
from msmap.query.knowledge_base import KnowledgeBase


def coverage(ask: Ask) -> Answer:
    """Namespaces with their names and records; with ``namespace`` the names without one there."""
    found = ask.once(statistics.namespaces)
    namespace = ask.args.get("namespace", "")
    one = [n for n in found if n.name == namespace]
    return render(
        ask,
        "coverage.html",
        namespaces=one or found,
        total=statistics.total(found),
        mindspore=ask.once(statistics.mindspore_covered),
        namespace=namespace if one else "",
        without=statistics.without_record(ask.kb, namespace) if one else {},
        sources=ask.once(KnowledgeBase.sources),
        owners={guide.id for guide in ask.once(KnowledgeBase.guides)},
        indexed=not ask.args,
    )


PAGE = Page("/coverage", coverage, nav=4, args=("namespace",))
