"""Counts of the database, as parts of bars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from datasette_msmap.web.charts import Part
from datasette_msmap.web.responses import Ask
from msmap import vocabulary

# How a count is coloured, by the word of a vocabulary.
TONES = {
    "no_params": "good", "identical": "good", "renamed_params": "fair",
    "target_more_params": "fair", "default_differs": "bad", "source_more_params": "warn",
    "input_usage_differs": "warn",
    "input_type_differs": "warn", "return_differs": "warn", "behaviour_differs": "bad",
    "composite": "other", "removable": "fair", "missing": "dim",
    "verified": "good", "verified_with_tolerance": "fair", "verified_forward_only": "fair",
    "diverges_documented": "other", "refuted": "bad", "inconclusive": "warn",
    "untestable": "warn", "unverified": "dim", "stale": "dim",
    "agrees": "good", "forward_only": "fair", "no_kernel": "warn", "raises": "warn",
    "differs": "bad", "refused": "dim",
    "silent": "bad", "error": "warn", "speed": "fair", "note": "dim",
    "same": "good", "renamed": "fair", "value_transformed": "bad", "reordered": "bad",
    "type_differs": "warn", "merged": "warn", "split": "warn", "target_only_must_set": "warn",
    "accepted_ignored": "bad", "source_only_unsupported": "warn", "source_only_rewrite": "warn",
    "target_only_keep_default": "fair", "source_only_droppable": "fair", "universal_absent": "dim",
    "holds": "good", "held_until": "warn", "not_testable": "dim",
}  # fmt: skip
_VERIFIED = ("verified", "verified_with_tolerance", "verified_forward_only")


def parts(ask: Ask, table: str, found: Mapping[str, int]) -> tuple[Part, ...]:
    """Counts by the words of a vocabulary, in its order, as parts of a bar."""
    words: dict[str, tuple[str, str]] = getattr(vocabulary, table)
    return tuple(
        Part(words[key][ask.language == "zh"], found[key], TONES.get(key, "plain"))
        for key in words
        if found.get(key)
    )


@dataclass(frozen=True, slots=True)
class Namespace:
    """How many public names a namespace of PyTorch has, and how many have records."""

    name: str
    names: int
    records: int
    verified: int

    @property
    def parts(self) -> tuple[Part, ...]:
        """The verified and the other records, as parts of a bar as long as there are names."""
        return (
            Part("", self.verified, "good"),
            Part("", self.records - self.verified, "fair"),
        )


def namespaces(ask: Ask) -> list[Namespace]:
    """PyTorch's namespaces, those with most records first; aliases and modules are not counted."""
    names: dict[str, int] = {}
    for (name,) in ask.served.rows(
        "SELECT name FROM api WHERE framework = 'torch' AND alias_of = '' AND kind != 'module'"
    ):
        parent = name.rpartition(".")[0]
        names[parent] = names.get(parent, 0) + 1
    found = {
        namespace: (records, verified)
        for namespace, records, verified in ask.served.rows(
            "SELECT namespace, count(*), sum(verification IN (?, ?, ?)) FROM record GROUP BY 1",
            *_VERIFIED,
        )
    }
    listed = []
    for name in names.keys() | found.keys():
        records, verified = found.get(name, (0, 0))
        # A record may be of an alias, which is no name of its own.
        listed.append(Namespace(name, max(names.get(name, 0), records), records, verified))
    return sorted(listed, key=lambda n: (-n.records, -n.names, n.name))
