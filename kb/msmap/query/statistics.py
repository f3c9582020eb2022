"""Counts over the whole knowledge base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from msmap import vocabulary
from msmap.query.rows import Rows

if TYPE_CHECKING:
    from msmap.query.knowledge_base import KnowledgeBase

# What ran with the newest release.
_NOW = "mindspore = (SELECT value FROM meta WHERE key = 'mindspore')"
# A name of its own: no alias, no module.
_OWN = "alias_of = '' AND kind != 'module'"


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


def outcomes_by_release(kb: KnowledgeBase) -> dict[str, dict[str, int]]:
    """How many checks came out how with each MindSpore release, oldest first."""
    found: dict[str, dict[str, int]] = {}
    for release, outcome, count in kb.rows(
        "SELECT r.name, e.outcome, count(*) FROM evidence e JOIN release r"
        " ON r.framework = 'mindspore' AND r.name = e.mindspore GROUP BY r.id, 2 ORDER BY r.id"
    ):
        found.setdefault(release, {})[outcome] = count
    return found


def impacts(kb: KnowledgeBase) -> dict[str, int]:
    """How many caveats have each impact."""
    return dict(kb.rows("SELECT impact, count(*) FROM caveat GROUP BY 1"))


def relations(kb: KnowledgeBase) -> dict[str, int]:
    """How many arguments of the best targets have each relation."""
    return dict(
        kb.rows(
            "SELECT p.relation, count(*) FROM parameter p JOIN target t ON t.id = p.target"
            " WHERE t.rank = 1 AND p.side = 'arguments' GROUP BY 1"
        )
    )


@dataclass(frozen=True, slots=True)
class Namespace:
    """How many public names a namespace of PyTorch has, and how many have records."""

    name: str
    names: int
    records: int
    verified: int


_AGREEING = ", ".join(f"'{name}'" for name, row in vocabulary.OUTCOMES.items() if row.agrees)


def namespaces(kb: KnowledgeBase) -> list[Namespace]:
    """PyTorch's namespaces, those with most records first; aliases and modules are not counted."""
    names: dict[str, int] = {}
    for (name,) in kb.rows(f"SELECT name FROM api WHERE framework = 'torch' AND {_OWN}"):
        parent = name.rpartition(".")[0]
        names[parent] = names.get(parent, 0) + 1
    found = {
        namespace: (records, verified)
        for namespace, records, verified in kb.rows(
            f"SELECT namespace, count(*), sum(verification IN ({_AGREEING})) FROM record GROUP BY 1"
        )
    }
    listed = []
    for name in names.keys() | found.keys():
        records, verified = found.get(name, (0, 0))
        # A record may be of an alias, which is no name of its own.
        listed.append(Namespace(name, max(names.get(name, 0), records), records, verified))
    return sorted(listed, key=lambda n: (-n.records, -n.names, n.name))


def mindspore_covered(kb: KnowledgeBase) -> tuple[int, int]:
    """How many names of MindSpore are a target, and how many there are, aliases left out."""
    targets = kb.rows("SELECT count(DISTINCT api) FROM target WHERE api != ''")[0][0]
    names = kb.rows(f"SELECT count(*) FROM api WHERE framework = 'mindspore' AND {_OWN}")[0][0]
    return targets, names


def without_record(kb: KnowledgeBase, namespace: str) -> list[str]:
    """The PyTorch names right below a namespace that have no record."""
    rows = kb.rows(
        f"SELECT name FROM api WHERE framework = 'torch' AND {_OWN}"
        " AND substr(name, 1, ?) = ? AND name NOT IN (SELECT torch FROM record) ORDER BY 1",
        (len(namespace) + 1, namespace + "."),
    )
    return [name for (name,) in rows if name.rpartition(".")[0] == namespace]
