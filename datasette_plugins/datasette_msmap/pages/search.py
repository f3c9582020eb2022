"""Search: names in any spelling, words in both languages, and what was probably meant."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from datasette_msmap.web import encoding
from datasette_msmap.web.addresses import Addresses
from datasette_msmap.web.responses import JSON, Answer, Ask, Page
from datasette_msmap.web.templating import clean, render
from msmap import model, names

LONGEST = 200
SUGGESTED = 8
# Names with a page whose last part, or the whole, starts so.
_PREFIX = """
SELECT name FROM spelling WHERE (curated OR name IN (SELECT api FROM target))
AND (lower(leaf) LIKE ?1 ESCAPE '\\' OR lower(name) LIKE ?1 ESCAPE '\\')
ORDER BY lower(leaf) != ?2, framework = 'mindspore', length(name), name LIMIT ?3
"""
# What a target is made of, by canonical names; or one as its record spells it.
_HAS_PAGE = """
SELECT 1 FROM record WHERE torch = ?1 UNION ALL SELECT 1 FROM target_name WHERE name = ?1
UNION ALL SELECT 1 FROM target WHERE api = ?1 LIMIT 1
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
    exact = with_page(ask, text)
    near = () if exact or not text else ask.kb.nearest(text)
    return render(
        ask,
        "search.html",
        text=text,
        own_search=True,
        hits=[hit for hit in hits if hit.name != exact],
        count=len(hits),
        exact=exact,
        summary=_summary(ask, exact) if exact else None,
        near=near if len(hits) < 3 else (),
        indexed=False,
    )


def with_page(ask: Ask, text: str) -> str | None:
    """The canonical name that a spelling means, if it has a page; others answer 404."""
    if not text or " " in text:
        return None
    kb = ask.kb
    name = kb.mindspore_name(text) if kb.is_mindspore(text) else kb.torch_name(text)
    return name if name and _has_page(ask, name) else None


def _summary(ask: Ask, name: str) -> model.Summary | None:
    record = ask.kb.find(name)
    return model.summary(record, next(iter(record.targets), None)) if record else None


def suggest(ask: Ask) -> Answer:
    """What may be meant by what has been typed so far, as JSON."""
    text = " ".join(ask.args.get("q", "").split())[:LONGEST]
    found = _suggestions(ask, text) if text else []
    listed = [{key: clean(value) for key, value in asdict(s).items()} for s in found]
    return Answer(encoding.text({"q": text, "suggestions": listed}), JSON)


def _suggestions(ask: Ask, text: str) -> list[Suggestion]:
    wanted = names.clean(text).lower()
    pattern = wanted.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
    exact = with_page(ask, text)
    found: dict[str, str] = {exact: "name"} if exact else {}
    if len(wanted) > 1 and wanted.isascii():
        leaf = wanted.rpartition(".")[2]
        for (name,) in ask.served.rows(_PREFIX, pattern, leaf, SUGGESTED):
            found.setdefault(name, "name")
    if len(found) < SUGGESTED:
        for hit in ask.kb.search(text, SUGGESTED):
            found.setdefault(hit.name, "guide" if hit.kind == "guide" else "name")
    if not found and len(wanted) > 2:
        near = ask.kb.nearest(text, 20)
        found = dict.fromkeys((name for name in near if _has_page(ask, name)), "name")
    to = Addresses(ask.root, ask.site, ask.language)
    return [_suggestion(ask, to, name, kind) for name, kind in list(found.items())[:SUGGESTED]]


def _has_page(ask: Ask, name: str) -> bool:
    """Whether a canonical name is of a record, or in a target of one."""
    return bool(ask.served.rows(_HAS_PAGE, name))


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


PAGE = Page("/search", search, sitemap=False, also={"/suggest": suggest})
