"""Counts over the whole knowledge base."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from msmap import vocabulary
from msmap.database import NEWEST
from msmap.query.base.asked import Asked
from msmap.query.base.rows import Rows
from msmap.vocabulary import Basis

# What ran with the newest release.
_NOW = "mindspore = (SELECT value FROM meta WHERE key = 'mindspore')"
# Every run with the releases for which it holds. Runs come first: SQLite would rather index them
# anew for each query.
_RUNS = (
    "FROM run r CROSS JOIN environment e ON e.family = r.family"
    " AND e.release BETWEEN r.first AND r.last"
)
# A name of its own: no alias, no module.
OWN = "alias_of = '' AND kind != 'module'"


class Counts(TypedDict):
    """What there is of each; every mapping goes from a name of its kind to a count."""

    releases: dict[str, str]
    names: dict[str, int]
    basis: dict[str, int]
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

    newest = _newest(rows)
    return Counts(
        releases=releases,
        names=names("1"),
        basis=_bases(rows),
        callables_without_signature=names(
            "signatures = '[]' AND kind IN ('class', 'function', 'method') AND alias_of = ''"
        ),
        category=by("category", "record"),
        verification=by("verification", "record"),
        verdict=by("verdict", "claim"),
        outcome=_outcomes(newest),
        variants=_variants(newest),
        records=count("record WHERE family = ''"),
        guides=count("guide"),
        claims=count("claim"),
        caveats=count("caveat"),
        checks=count('"check" WHERE current'),
        evidence=newest.total(),
    )


# Probed with the newest release: candidates were run.
PROBED = f"SELECT torch FROM probe WHERE release = {NEWEST} AND reason = ''"


def _bases(rows: Rows) -> dict[str, int]:
    """How many names of PyTorch have a record, how many were probed, and how many are known."""
    (curated,) = rows("SELECT count(*) FROM record")[0]
    (probed,) = rows(f"SELECT count(*) FROM ({PROBED})")[0]
    (known,) = rows(
        f"SELECT count(*) FROM api WHERE framework = 'torch' AND {OWN}"
        f" AND name NOT IN (SELECT torch FROM record UNION ALL {PROBED})"
    )[0]
    return {"curated": curated, "probed": probed, "known": known}


def _newest(rows: Rows) -> Counter[tuple[str, str]]:
    """How many checks have each outcome, with what came out of each way to call as JSON."""
    return Counter(rows(f"SELECT r.outcome, r.variants {_RUNS} WHERE e.{_NOW}"))


def _outcomes(newest: Counter[tuple[str, str]]) -> dict[str, int]:
    """How many checks have each outcome, the most frequent first."""
    found: Counter[str] = Counter()
    for (outcome, _), count in newest.items():
        found[outcome] += count
    return _falling(found)


def _variants(newest: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """What came out of each way to call, in the vocabulary's order, the most frequent first."""
    found: dict[str, Counter[str]] = {name: Counter() for name in vocabulary.VARIANTS}
    for (_, text), count in newest.items():
        for name, variant in json.loads(text).items():
            found[name][variant["outcome"]] += count
    return {name: _falling(outcomes) for name, outcomes in found.items() if outcomes}


def _falling(counted: Counter[str]) -> dict[str, int]:
    return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def outcomes_by_release(kb: Asked) -> dict[str, dict[str, int]]:
    """How many checks came out how with each MindSpore release, oldest first."""
    found: dict[str, Counter[str]] = {}
    for release, outcome, count in kb.rows(
        "SELECT e.mindspore, r.outcome, r.count FROM"
        " (SELECT family, first, last, outcome, count(*) AS count FROM run GROUP BY 1, 2, 3, 4) r"
        " JOIN environment e ON e.family = r.family AND e.release BETWEEN r.first AND r.last"
        " JOIN release ON release.framework = 'mindspore' AND release.name = e.mindspore"
        " ORDER BY release.id"
    ):
        found.setdefault(release, Counter())[outcome] += count
    return {release: _falling(outcomes) for release, outcomes in found.items()}


def impacts(kb: Asked) -> dict[str, int]:
    """How many caveats have each impact."""
    return dict(kb.rows("SELECT impact, count(*) FROM caveat GROUP BY 1"))


def relations(kb: Asked) -> dict[str, int]:
    """How many arguments of the best targets have each relation."""
    return dict(
        kb.rows(
            "SELECT p.relation, count(*) FROM parameter p JOIN target t ON t.id = p.target"
            " WHERE t.rank = 1 AND p.side = 'arguments' GROUP BY 1"
        )
    )


@dataclass(frozen=True, slots=True)
class Namespace:
    """How many public names a namespace of PyTorch has, and what answers about them rest on."""

    name: str
    names: int
    records: int
    verified: int
    probed: int

    @property
    def known(self) -> int:
        """How many have neither."""
        return self.names - self.records - self.probed


_AGREEING = ", ".join(f"'{name}'" for name, row in vocabulary.OUTCOMES.items() if row.agrees)


def namespaces(kb: Asked) -> list[Namespace]:
    """PyTorch's namespaces, those with most records first.

    Aliases and modules are not counted, but those that have an answer of their own.
    """
    names: dict[str, int] = {}
    for (name,) in kb.rows(
        f"SELECT name FROM api WHERE framework = 'torch' AND {OWN} UNION SELECT torch FROM record"
        f" UNION SELECT torch FROM probe WHERE torch IN ({PROBED})"
    ):
        parent = name.rpartition(".")[0]
        names[parent] = names.get(parent, 0) + 1
    found = {
        namespace: (records, verified)
        for namespace, records, verified in kb.rows(
            f"SELECT namespace, count(*), sum(verification IN ({_AGREEING})) FROM record GROUP BY 1"
        )
    }
    probed: dict[str, int] = dict(
        kb.rows(f"SELECT namespace, count(*) FROM probe WHERE torch IN ({PROBED}) GROUP BY 1")
    )
    listed = []
    for name, every in names.items():
        records, verified = found.get(name, (0, 0))
        listed.append(Namespace(name, every, records, verified, probed.get(name, 0)))
    return sorted(listed, key=lambda n: (-n.records, -n.names, n.name))


def total(namespaces: Sequence[Namespace]) -> Namespace:
    """All of some namespaces together, under no name."""
    return Namespace(
        "",
        sum(n.names for n in namespaces),
        sum(n.records for n in namespaces),
        sum(n.verified for n in namespaces),
        sum(n.probed for n in namespaces),
    )


def mindspore_covered(kb: Asked) -> tuple[int, int]:
    """How many names of MindSpore are a target, and how many there are, aliases left out."""
    targets = kb.rows("SELECT count(DISTINCT api) FROM target WHERE api != ''")[0][0]
    names = kb.rows(f"SELECT count(*) FROM api WHERE framework = 'mindspore' AND {OWN}")[0][0]
    return targets, names


def without_record(kb: Asked, namespace: str) -> dict[str, Basis]:
    """The PyTorch names right below a namespace that have no record: probed or only known."""
    rows = kb.rows(
        f"SELECT name, name IN ({PROBED}) FROM api WHERE framework = 'torch' AND {OWN}"
        " AND substr(name, 1, ?) = ? AND name NOT IN (SELECT torch FROM record) ORDER BY 1",
        (len(namespace) + 1, namespace + "."),
    )
    return {
        name: "probed" if probed else "known"
        for name, probed in rows
        if name.rpartition(".")[0] == namespace
    }
