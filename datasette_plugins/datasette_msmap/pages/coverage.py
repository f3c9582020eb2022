"""What of PyTorch has a record, and what of the tested documents is covered."""

from __future__ import annotations

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render


def coverage(ask: Ask) -> Answer:
    """Namespaces with their names and records; ``namespace`` lists the names without one."""
    namespace = ask.args.get("namespace", "")
    found = counts.namespaces(ask)
    known = {n.name for n in found}
    return render(
        ask,
        "coverage.html",
        namespaces=found,
        total=(sum(n.records for n in found), sum(n.names for n in found)),
        mindspore=_mindspore(ask),
        namespace=namespace if namespace in known else "",
        without=_without(ask, namespace) if namespace in known else (),
        sources=ask.kb.sources(),
        owners=_owners(ask),
        indexed=not ask.args,
    )


def _mindspore(ask: Ask) -> tuple[int, int]:
    """How many names of MindSpore are a target, and how many there are, aliases left out."""
    targets = ask.served.rows("SELECT count(DISTINCT api) FROM target WHERE api != ''")[0][0]
    names = ask.served.rows(
        "SELECT count(*) FROM api WHERE framework = 'mindspore' AND alias_of = ''"
        " AND kind != 'module'"
    )[0][0]
    return targets, names


def _without(ask: Ask, namespace: str) -> list[str]:
    """The names right below a namespace that have no record."""
    rows = ask.served.rows(
        "SELECT name FROM api WHERE framework = 'torch' AND alias_of = '' AND kind != 'module'"
        " AND substr(name, 1, ?) = ? AND name NOT IN (SELECT torch FROM record) ORDER BY 1",
        len(namespace) + 1,
        namespace + ".",
    )
    return [name for (name,) in rows if name.rpartition(".")[0] == namespace]


def _owners(ask: Ask) -> set[str]:
    """The guides that there are; what else covers a section is a record's name."""
    return {guide.id for guide in ask.kb.guides()}


PAGE = Page("/coverage", coverage, nav=4)
