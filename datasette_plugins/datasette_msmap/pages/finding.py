"""Search: names in any spelling, words in both languages, and what was probably meant."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from datasette_msmap.addresses import Addresses
from datasette_msmap.responses import JSON, Answer, Ask
from datasette_msmap.templating import clean, render
from msmap import answers, model, names

LONGEST = 200
SUGGESTED = 8
# Names whose last part, or the whole, starts so; records before names without one.
_PREFIX = """
SELECT name, framework, curated FROM spelling
WHERE curated AND (lower(leaf) LIKE ?1 ESCAPE '\\' OR lower(name) LIKE ?1 ESCAPE '\\')
ORDER BY lower(leaf) != ?2, framework = 'mindspore', length(name), name LIMIT ?3
"""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What may be meant: a name or a guide, in words, and where it is."""

    name: str
    kind: str
    text: str
    url: str


def search(ask: Ask) -> Answer:
    """Results for words, the exact name first; without results the nearest names."""
    text = " ".join(ask.args.get("q", "").split())[:LONGEST]
    hits = ask.kb.search(text, 50) if text else []
    # A name that ends in just what was typed goes before those that only have it in them.
    hits.sort(key=lambda hit: hit.name.lower().rpartition(".")[2] != text.lower())
    exact = _exact(ask, text)
    near = () if exact or not text else ask.kb.nearest(text)
    return render(
        ask,
        "search.html",
        text=text,
        sought=text,
        hits=[hit for hit in hits if hit.name != exact],
        count=len(hits),
        exact=exact,
        summary=_summary(ask, exact) if exact else None,
        near=near if len(hits) < 3 else (),
        indexed=False,
    )


def _exact(ask: Ask, text: str) -> str | None:
    """The canonical name that a spelling means, if it has a page."""
    if not text or " " in text:
        return None
    found = answers.answer(ask.kb, text)
    if found.record is not None:
        return found.record.torch
    return found.reverse.api.name if found.reverse is not None else None


def _summary(ask: Ask, name: str) -> model.Summary | None:
    record = ask.kb.find(name)
    return model.summary(record, next(iter(record.targets), None)) if record else None


def suggest(ask: Ask) -> Answer:
    """What may be meant by what has been typed so far, as JSON."""
    text = " ".join(ask.args.get("q", "").split())[:LONGEST]
    found = _suggestions(ask, text) if text else []
    listed = [{key: clean(value) for key, value in asdict(s).items()} for s in found]
    return Answer(json.dumps({"q": text, "suggestions": listed}, ensure_ascii=False), JSON)


def _suggestions(ask: Ask, text: str) -> list[Suggestion]:
    wanted = names.clean(text).lower()
    pattern = wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    exact = _exact(ask, text)
    found: dict[str, str] = {exact: "name"} if exact else {}
    if len(wanted) > 1 and wanted.isascii():
        leaf = wanted.rpartition(".")[2]
        for name, _, _ in ask.served.rows(_PREFIX, pattern, leaf, SUGGESTED):
            found.setdefault(name, "name")
    if len(found) < SUGGESTED:
        for hit in ask.kb.search(text, SUGGESTED):
            found.setdefault(hit.name, "guide" if hit.kind == "guide" else "name")
    if len(found) < 3 and len(wanted) > 2 and wanted.isascii():
        for name in ask.kb.nearest(text):
            found.setdefault(name, "name")
    to = Addresses(ask.root, ask.site, ask.language)
    return [_suggestion(ask, to, name, kind) for name, kind in list(found.items())[:SUGGESTED]]


def _suggestion(ask: Ask, to: Addresses, name: str, kind: str) -> Suggestion:
    if kind == "guide":
        return Suggestion(name, kind, ask.kb.guide(name).title.get(ask.language), to.guide(name))
    row = ask.served.rows("SELECT mindspore FROM record WHERE torch = ?", name)
    if row:
        return Suggestion(name, "record", row[0][0], to.name(name))
    sources = ask.served.rows(
        "SELECT torch FROM target WHERE api = ? ORDER BY rank, torch LIMIT 3", name
    )
    return Suggestion(name, "name", ", ".join(torch for (torch,) in sources), to.name(name))
