"""Claims of documents, each with what running it showed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from datasette_msmap.web import counts
from datasette_msmap.web.charts import Part
from datasette_msmap.web.responses import Answer, Ask, Page
from datasette_msmap.web.templating import render
from msmap import claimed, vocabulary
from msmap.errors import NotFound
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.names.suggest import answerable

FILTERS = ("verdict", "source", "topic", "about")


def claims(ask: Ask) -> Answer:
    """Claims as the filters choose them; without any the topics, and what was refuted."""
    chosen = {name: ask.args[name].strip() for name in FILTERS if ask.args.get(name, "").strip()}
    if chosen.get("verdict", "holds") not in vocabulary.VERDICTS:
        del chosen["verdict"]
    every = ask.once(KnowledgeBase.claims)
    try:
        found = ask.kb.claims(**chosen) if chosen else every
    except NotFound:
        found = []
    sources = ask.once(KnowledgeBase.sources)
    topics: dict[str, list[claimed.Claim]] = {}
    for claim in found:
        topics.setdefault(claim.topic, []).append(claim)
    return render(
        ask,
        "claims.html",
        chosen=chosen,
        topics=topics if chosen else {},
        count=len(found),
        verdicts=_verdicts(ask, found),
        overview={} if chosen else {t: _verdicts(ask, told) for t, told in topics.items()},
        refuted=[] if chosen else [c for c in found if c.verdict == "refuted"],
        sources=sources,
        titles={
            (source.id, part.id): ": ".join(t.get(ask.language) for t in (source.title, part.title))
            for source in sources
            for part in source.sections
        },
        known=_titles(ask, every),
        linked=_linked(ask, found) if chosen else (),
        kept={key: value for key, value in chosen.items() if key == "topic"},
        indexed=not chosen.keys() - {"topic"},
    )


def _verdicts(ask: Ask, told: Iterable[claimed.Claim]) -> tuple[Part, ...]:
    return counts.parts(ask, "VERDICTS", Counter(claim.verdict for claim in told))


def _linked(ask: Ask, told: Iterable[claimed.Claim]) -> set[str]:
    """The names that claims are about and that have a page."""
    about = {name for claim in told for name in claim.about}
    return {name for name in about if answerable(ask.kb, name)}


def _titles(ask: Ask, told: Iterable[claimed.Claim]) -> dict[str, str]:
    """The titles of topics by their ids."""
    return {claim.topic: claim.title.get(ask.language) for claim in told}


PAGE = Page("/claims", claims, nav=3, aside=True, args=FILTERS)
