"""Records by namespace as a table with filters."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any, TypeAlias

from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import vocabulary
from msmap.query.base.records import Entry, entries
from msmap.query.knowledge_base import KnowledgeBase

# What a record has to be filtered by, to be found.
Values: TypeAlias = dict[str, tuple[str, ...]]
# What filters leave, and how many records each value of each of them would leave.
Filtered: TypeAlias = tuple[list[Entry], dict[str, dict[str, int]]]
A_PAGE = 100
FILTERS = ("namespace", "category", "verification", "device", "without", "impact")


def browse(ask: Ask) -> Answer:
    """The table; each filter says how many records each of its values would leave."""
    chosen = {name: ask.args[name] for name in FILTERS if ask.args.get(name)}
    if ask.device:
        chosen["device"] = ask.device
    records, everything = ask.once(prepared)
    found, options = _filtered(records, chosen) if chosen else everything
    page = int(ask.args["page"]) if ask.args.get("page", "").isdecimal() else 1
    page = min(max(page, 1), max(1, -(-len(found) // A_PAGE)))
    start = (page - 1) * A_PAGE
    shown = {key: chosen[key] for key in chosen if key == "namespace"}
    return render(
        ask,
        "browse.html",
        chosen=chosen,
        options=options,
        found=found[start : start + A_PAGE],
        count=len(found),
        start=start + 1 if found else 0,
        end=min(start + A_PAGE, len(found)),
        page=page,
        pages=-(-len(found) // A_PAGE),
        kept=shown,
        indexed=chosen == shown and page == 1,
    )


def _values(entry: Entry, name: str) -> tuple[str, ...]:
    """What a record would have to be filtered by to be found; a namespace has what is below it."""
    if name == "device":
        return tuple({*entry.runs_on, *entry.ran_on})
    if name == "without":
        return entry.without
    if name == "impact":
        return tuple(entry.impacts)
    if name == "namespace":
        parts = entry.namespace.split(".")
        return tuple(".".join(parts[:end]) for end in range(1, len(parts) + 1))
    return (str(getattr(entry, name)),)


def prepared(kb: KnowledgeBase) -> tuple[list[tuple[Entry, Values]], Filtered]:
    """Every record with what each filter goes by, and what no filter leaves."""
    valued = [(e, {name: _values(e, name) for name in FILTERS}) for e in entries(kb)]
    return valued, _filtered(valued, {})


def _filtered(records: list[tuple[Entry, Values]], chosen: dict[str, str]) -> Filtered:
    missed = [(entry, values, _missed(values, chosen)) for entry, values in records]
    found = [entry for entry, _, misses in missed if not misses]
    return found, {name: _options(missed, chosen, name) for name in FILTERS}


def _missed(values: Values, chosen: dict[str, str]) -> list[str]:
    """The filters that a record doesn't fit."""
    return [name for name, wanted in chosen.items() if wanted not in values[name]]


def _options(
    records: list[tuple[Entry, Values, list[str]]], chosen: dict[str, str], name: str
) -> dict[str, int]:
    """How many records each value of a filter would leave, in the order of the vocabulary."""
    left = (values[name] for _, values, misses in records if not misses or misses == [name])
    counted = Counter(chain.from_iterable(left))
    order: dict[str, Any] = {
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "device": vocabulary.PLATFORMS,
        "without": vocabulary.PLATFORMS,
        "impact": vocabulary.IMPACTS,
    }
    keys = list(order.get(name, sorted(counted)))
    wanted = chosen.get(name)
    if wanted and wanted not in keys:
        keys.append(wanted)
    return {key: counted[key] for key in keys if counted[key] or key == wanted}


PAGE = Page("/browse", browse, nav=1, args=(*FILTERS, "page"))
