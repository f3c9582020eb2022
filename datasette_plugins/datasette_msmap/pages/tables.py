"""Published tables of pairs, each row with what running the pair showed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from datasette_msmap.web import counts
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import tabled, vocabulary
from msmap.errors import NotFound
from msmap.query.knowledge_base import KnowledgeBase
from msmap.render import labels
from msmap.render import tables as words

FILTERS = ("table", "verdict", "about")
A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Told:
    """A row as it is shown: its words beside it."""

    row: tabled.Row
    verdict: str
    says: str
    finding: str
    outcome: str
    gave: tuple[str, ...]


def tables(ask: Ask) -> Answer:
    """The rows that filters choose, a page of them; without any the tables there are."""
    chosen = {name: ask.args[name].strip() for name in FILTERS if ask.args.get(name, "").strip()}
    if chosen.get("verdict", "holds") not in tabled.ROW_VERDICTS:
        del chosen["verdict"]
    known = ask.once(KnowledgeBase.tables)
    try:
        found = ask.kb.table_rows(**chosen) if chosen else []
    except NotFound:
        found = []
    pages = max(1, -(-len(found) // A_PAGE))
    wanted = ask.args.get("page", "")
    page = min(max(int(wanted) if wanted.isdecimal() and len(wanted) < 9 else 1, 1), pages)
    start = (page - 1) * A_PAGE
    return render(
        ask,
        "tables.html",
        chosen=chosen,
        known=known,
        bars={t.id: counts.parts_of(ask, tabled.ROW_VERDICTS, t.verdicts) for t in known},
        verdicts=[(v, labels.word(tabled.ROW_VERDICTS, v, ask.language)) for v in words.STYLES],
        rows=told(ask, found[start : start + A_PAGE]),
        titles={table.id: table.title.get(ask.language) for table in known},
        count=len(found),
        start=start + 1 if found else 0,
        end=min(start + A_PAGE, len(found)),
        page=page,
        pages=pages,
        indexed=not chosen,
    )


def about(ask: Ask, torch: str) -> dict[str, Any]:
    """What a page about a PyTorch name tells of tables: their rows and titles."""
    titles = {table.id: table.title.get(ask.language) for table in ask.once(KnowledgeBase.tables)}
    return {"pairs": told(ask, ask.kb.table_rows(about=torch)), "titles": titles}


def told(ask: Ask, rows: Iterable[tabled.Row]) -> list[Told]:
    """Rows as they are shown."""
    return [_told(ask, row) for row in rows]


def _told(ask: Ask, row: tabled.Row) -> Told:
    sample = row.sample
    outcome = labels.word(vocabulary.PROBE_OUTCOMES, sample.outcome, ask.language) if sample else ""
    return Told(
        row,
        labels.word(tabled.ROW_VERDICTS, row.verdict, ask.language),
        words.says(row, ask.language),
        words.finding(row, ask.language),
        outcome,
        tuple(words.gave(sample, ask.language)) if sample else (),
    )


PAGE = Page("/tables", tables, aside=True, args=(*FILTERS, "page"))
