"""What of PyTorch has a record, and what of the tested documents is covered."""

from __future__ import annotations

from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.query import statistics


def coverage(ask: Ask) -> Answer:
    """Namespaces with their names and records; ``namespace`` lists the names without one."""
    namespace = ask.args.get("namespace", "")
    found = statistics.namespaces(ask.kb)
    known = {n.name for n in found}
    return render(
        ask,
        "coverage.html",
        namespaces=found,
        total=statistics.total(found),
        mindspore=statistics.mindspore_covered(ask.kb),
        namespace=namespace if namespace in known else "",
        without=statistics.without_record(ask.kb, namespace) if namespace in known else {},
        sources=ask.kb.sources(),
        owners={guide.id for guide in ask.kb.guides()},
        indexed=not ask.args,
    )


PAGE = Page("/coverage", coverage, nav=4, args=("namespace",))
