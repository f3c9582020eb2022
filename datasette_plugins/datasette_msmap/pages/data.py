"""The data to take along: all of it as files, and its tables to look at, without SQL."""

from __future__ import annotations

from datasette_msmap.pages import record
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap.query.base import tables
from msmap.query.names import answers

A_PAGE = 50
# Longer texts are cut; the files have them whole.
LONGEST = 160


def data(ask: Ask) -> Answer:
    """What can be taken along, and what tables there are."""
    return render(
        ask, "data.html", tables=ask.once(tables.tables), size=ask.served.size, indexed=not ask.args
    )


def table(ask: Ask) -> Answer:
    """The rows of a table, a page of them."""
    name = ask.vars["table"]
    found = next((t for t in ask.once(tables.tables) if t.name == name), None)
    if found is None:
        none = answers.Answer(name, False, nearest=())
        return record.missing(ask, name, none, "other")
    pages = max(1, -(-found.rows // A_PAGE))
    wanted = ask.args.get("page", "")
    page = min(max(int(wanted) if wanted.isdecimal() and len(wanted) < 9 else 1, 1), pages)
    start = (page - 1) * A_PAGE
    return render(
        ask,
        "table.html",
        table=found,
        rows=tables.rows(ask.kb, found, start, A_PAGE),
        named={found.columns.index(c) for c in ("torch", "api", "name") if c in found.columns}
        if name in ("record", "target", "caveat", "probe", "api")
        else set(),
        start=start + 1 if found.rows else 0,
        end=min(start + A_PAGE, found.rows),
        page=page,
        pages=pages,
        longest=LONGEST,
        indexed=False,
    )


PAGE = Page("/data", data, also={"/data/(?P<table>[a-z_]+)": table}, args=("page",))
