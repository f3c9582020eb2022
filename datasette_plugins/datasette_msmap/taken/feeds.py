"""Feeds: new records, and what changes with a release of MindSpore."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from datasette_msmap.web import texts
from datasette_msmap.web.responses import TEXT, Answer, Ask
from msmap.query.base.record_drift import EFFECTS
from msmap.query.base.records import entries
from msmap.query.drift import dates as changes
from msmap.query.drift import drift
from msmap.render.atom import Entry, Feed, atom

TYPE = "application/atom+xml; charset=utf-8"
_MOST = 50


def records(ask: Ask) -> Answer:
    """The newest records, by the day on which each was written."""
    known = {entry.torch: entry for entry in ask.once(entries)}
    found = tuple(
        Entry(
            f"record:{torch}",
            f"{torch} → {known[torch].mindspore or '–'}",
            ask.to.absolute(ask.to.name(torch)),
            day,
            known[torch].summary.get(ask.language),
        )
        for torch, day in changes.added(ask.kb, _MOST)
    )
    return _answer(ask, "records", "/browse", found)


def releases(ask: Ask) -> Answer:
    """What changes from each release to the next, by the day on which that became known."""
    days = changes.releases(ask.kb)
    pairs = [pair for pair in pairwise(ask.kb.known_releases()) if pair[1] in days]
    found = tuple(
        Entry(
            f"release:{after}",
            f"MindSpore {before} → {after}",
            ask.to.absolute(ask.to.page("/releases", **{"from": before, "to": after})),
            days[after],
            "; ".join(_changes(ask, before, after)),
        )
        for before, after in reversed(pairs)
    )
    return _answer(ask, "releases", "/releases", found)


def _changes(ask: Ask, before: str, after: str) -> Iterator[str]:
    """How much changes: records by the worst that happens to them, and names."""
    language = ask.language
    found = drift.between(*map(ask.served.as_of, (before, after)))
    counted = Counter(record.effect for record in found.records)
    for key in filter(counted.get, EFFECTS):
        yield f"{EFFECTS[key][language == 'zh']}: {counted[key]}"
    yield f"{texts.get('feed.vanished', language)}: {len(found.vanished)}"
    yield f"{texts.get('feed.appeared', language)}: {len(found.appeared)}"


def _answer(ask: Ask, name: str, home: str, found: tuple[Entry, ...]) -> Answer:
    if not found:
        said = "no feed: this database was built without git, which knows when what was written"
        return Answer(f"{said}\n", TEXT, 404, shared=True)
    to = ask.to
    language = "zh-CN" if ask.language == "zh" else "en"
    feed = Feed(
        f"feed:{name}:{language}",
        f"msmap: {texts.get(f'feed.{name}', ask.language)}",
        to.absolute(to.page(f"/feeds/{name}.atom")),
        to.absolute(to.page(home)),
        language,
        found,
    )
    return Answer(atom(feed), TYPE, shared=True, max_age=3600)
