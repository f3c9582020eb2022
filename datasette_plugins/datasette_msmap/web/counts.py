"""Counts of the database, as parts of bars."""

from __future__ import annotations

from collections.abc import Mapping

from datasette_msmap.web.charts import Part
from datasette_msmap.web.responses import Ask
from datasette_msmap.web.tones import tone
from msmap import vocabulary
from msmap.query.base.statistics import Namespace
from msmap.render.labels import word


def parts(ask: Ask, table: str, found: Mapping[str, int]) -> tuple[Part, ...]:
    """Counts by the words of a vocabulary, in its order, as parts of a bar."""
    return parts_of(ask, getattr(vocabulary, table), found)


def parts_of(
    ask: Ask, words: dict[str, tuple[str, str]], found: Mapping[str, int]
) -> tuple[Part, ...]:
    """Counts by some words, in their order, as parts of a bar."""
    return tuple(
        Part(word(words, key, ask.language), found[key], tone(key))
        for key in words
        if found.get(key)
    )


def covered(namespace: Namespace) -> tuple[Part, ...]:
    """The verified, the other records and what was probed, in a bar as long as there are names."""
    others = namespace.records - namespace.verified
    return (
        Part("", namespace.verified, "good"),
        Part("", others, "fair"),
        Part("", namespace.probed, "other"),
    )
