"""Records by namespace as a table with filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import vocabulary

A_PAGE = 100
_ROWS = """
SELECT r.torch, r.namespace, coalesce(nullif(t.api, ''), t.expression, ''), coalesce(t.api, ''),
  r.category, r.verification, r.summary_en, r.summary_zh, t.ascend, t.gpu, t.cpu,
  (SELECT group_concat(impact) FROM caveat c WHERE c.torch = r.torch)
FROM record r LEFT JOIN target t ON t.torch = r.torch AND t.rank = 1 ORDER BY r.torch
"""


@dataclass(frozen=True, slots=True)
class Line:
    """A record in the table."""

    torch: str
    namespace: str
    mindspore: str
    api: str
    category: str
    verification: str
    summary: str
    devices: tuple[str, ...]
    impacts: dict[str, int]

    def fits(self, name: str, wanted: str) -> bool:
        """Whether it passes a filter; a namespace has what is below it too."""
        if name == "namespace":
            return self.namespace == wanted or self.namespace.startswith(wanted + ".")
        if name == "device":
            return wanted in self.devices
        if name == "impact":
            return wanted in self.impacts
        return bool(getattr(self, name) == wanted)

    def values(self, name: str) -> tuple[str, ...]:
        """What it would have to be filtered by to be found."""
        if name == "device":
            return self.devices
        if name == "impact":
            return tuple(self.impacts)
        if name == "namespace":
            parts = self.namespace.split(".")
            return tuple(".".join(parts[:end]) for end in range(1, len(parts) + 1))
        return (str(getattr(self, name)),)


FILTERS = ("namespace", "category", "verification", "device", "impact")


def browse(ask: Ask) -> Answer:
    """The table; each filter says how many records each of its values would leave."""
    chosen = {name: ask.args[name] for name in FILTERS if ask.args.get(name)}
    lines = list(_lines(ask))
    found = [line for line in lines if _fits(line, chosen)]
    page = int(ask.args["page"]) if ask.args.get("page", "").isdecimal() else 1
    page = min(max(page, 1), max(1, -(-len(found) // A_PAGE)))
    start = (page - 1) * A_PAGE
    shown = {key: chosen[key] for key in chosen if key == "namespace"}
    return render(
        ask,
        "browse.html",
        chosen=chosen,
        options={name: _options(lines, chosen, name) for name in FILTERS},
        found=found[start : start + A_PAGE],
        count=len(found),
        start=start + 1 if found else 0,
        end=min(start + A_PAGE, len(found)),
        page=page,
        pages=-(-len(found) // A_PAGE),
        kept=shown,
        indexed=chosen == shown and page == 1,
    )


def _lines(ask: Ask) -> Iterable[Line]:
    devices = ("Ascend", "GPU", "CPU")
    for row in ask.served.rows(_ROWS):
        runs = tuple(d for d, on in zip(devices, row[8:11], strict=True) if on)
        counted = Counter((row[11] or "").split(",")) if row[11] else Counter[str]()
        impacts = {key: counted[key] for key in vocabulary.IMPACTS if counted[key]}
        summary = row[7] if ask.language == "zh" else row[6]
        yield Line(row[0], row[1], row[2], row[3], row[4], row[5], summary, runs, impacts)


def _fits(line: Line, chosen: dict[str, str], but: str = "") -> bool:
    return all(line.fits(name, wanted) for name, wanted in chosen.items() if name != but)


def _options(lines: list[Line], chosen: dict[str, str], name: str) -> dict[str, int]:
    """How many records each value of a filter would leave, in the order of the vocabulary."""
    counted: Counter[str] = Counter()
    for line in lines:
        if _fits(line, chosen, but=name):
            counted.update(line.values(name))
    order: dict[str, Any] = {
        "category": vocabulary.CATEGORIES,
        "verification": vocabulary.VERIFICATIONS,
        "device": ("Ascend", "GPU", "CPU"),
        "impact": vocabulary.IMPACTS,
    }
    keys = list(order.get(name, sorted(counted)))
    wanted = chosen.get(name)
    if wanted and wanted not in keys:
        keys.append(wanted)
    return {key: counted[key] for key in keys if counted[key] or key == wanted}


PAGE = Page("/browse", browse, nav=1)
