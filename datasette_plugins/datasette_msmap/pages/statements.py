"""Statements of documents, each with what running it showed."""

from __future__ import annotations

from collections import Counter

from datasette_msmap import counts
from datasette_msmap.responses import Answer, Ask
from datasette_msmap.templating import render
from msmap import model, vocabulary
from msmap.query import NotFound

FILTERS = ("verdict", "source", "topic", "about")


def statements(ask: Ask) -> Answer:
    """Statements by topic, as the filters choose them."""
    chosen = {name: ask.args[name].strip() for name in FILTERS if ask.args.get(name, "").strip()}
    if chosen.get("verdict", "holds") not in vocabulary.VERDICTS:
        del chosen["verdict"]
    every = ask.kb.claims()
    try:
        found = ask.kb.claims(**chosen)
    except NotFound:
        found = []
    sources = ask.kb.sources()
    topics: dict[str, list[model.Claim]] = {}
    for claim in found:
        topics.setdefault(claim.topic, []).append(claim)
    verdicts = Counter(claim.verdict for claim in found)
    return render(
        ask,
        "claims.html",
        chosen=chosen,
        topics=topics,
        count=len(found),
        verdicts=counts.parts(ask, "VERDICTS", verdicts),
        sources=sources,
        titles={
            (
                source.id,
                part.id,
            ): f"{source.title.get(ask.language)}: {part.title.get(ask.language)}"
            for source in sources
            for part in source.sections
        },
        known_topics=sorted({claim.topic for claim in every}),
        indexed=not chosen,
    )
