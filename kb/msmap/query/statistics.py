"""Counts over the whole knowledge base."""

from __future__ import annotations

from typing import TypedDict

from msmap import vocabulary
from msmap.query.rows import Rows

# What ran with the newest release.
_NOW = "mindspore = (SELECT value FROM meta WHERE key = 'mindspore')"


class Counts(TypedDict):
    """What there is of each; every mapping goes from a name of its kind to a count."""

    releases: dict[str, str]
    names: dict[str, int]
    callables_without_signature: dict[str, int]
    category: dict[str, int]
    verification: dict[str, int]
    verdict: dict[str, int]
    outcome: dict[str, int]
    variants: dict[str, dict[str, int]]
    records: int
    guides: int
    claims: int
    caveats: int
    checks: int
    evidence: int


def counts(rows: Rows, releases: dict[str, str]) -> Counts:
    """Names of each framework, records by category and verification, checks and what came out."""

    def by(column: str, table: str) -> dict[str, int]:
        return dict(rows(f"SELECT {column}, count(*) FROM {table} GROUP BY 1 ORDER BY 2 DESC, 1"))

    def names(condition: str) -> dict[str, int]:
        return dict(
            rows(f"SELECT framework, count(*) FROM api WHERE {condition} GROUP BY 1 ORDER BY 1")
        )

    def count(table: str) -> int:
        return int(rows(f"SELECT count(*) FROM {table}")[0][0])

    return Counts(
        releases=releases,
        names=names("1"),
        callables_without_signature=names(
            "signatures = '[]' AND kind IN ('class', 'function', 'method') AND alias_of = ''"
        ),
        category=by("category", "record"),
        verification=by("verification", "record"),
        verdict=by("verdict", "claim"),
        outcome=by("outcome", f"evidence WHERE {_NOW}"),
        variants=_variants(rows),
        records=count("record"),
        guides=count("guide"),
        claims=count("claim"),
        caveats=count("caveat"),
        checks=count('"check" WHERE current'),
        evidence=count(f"evidence WHERE {_NOW}"),
    )


def _variants(rows: Rows) -> dict[str, dict[str, int]]:
    """What came out of each way to call, in the order of the vocabulary."""
    found: dict[str, dict[str, int]] = {name: {} for name in vocabulary.VARIANTS}
    for name, outcome, count in rows(
        "SELECT v.key, json_extract(v.value, '$.outcome'), count(*) FROM evidence e"
        f" JOIN json_each(e.variants) v WHERE e.{_NOW} GROUP BY 1, 2 ORDER BY 1, 3 DESC"
    ):
        found[name][outcome] = count
    return {name: outcomes for name, outcomes in found.items() if outcomes}
