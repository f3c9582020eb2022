"""A few of a test's many cases, other ones with every commit: in time all are tried.

`moving(8)` marks a test of which eight cases are enough at a time; `moving(1, "kind")` one that
takes a case of each kind, which the id of a case begins with up to its last hyphen. The option
`--whole` runs all, and a case that is named on the command line runs always.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence

import pytest
from tests.builders import sample


def by_default() -> str:
    """What chooses: the commit, or where there is none what all records say."""
    asked = ["git", "-C", str(sample.DATA), "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return sample.seed().hex()[:12]
    return done.stdout.strip() or sample.seed().hex()[:12]


def some(cases: Iterable[str], count: int, by: str) -> set[str]:
    """So many of the cases; each is as likely as any other, and more or fewer cases move none."""
    return set(sorted(cases, key=lambda c: hashlib.blake2b(f"{by} {c}".encode()).digest())[:count])


def kind(case: str, each: str | None) -> str:
    """Of which cases some are taken: of a test, or of those whose ids begin alike."""
    return case.rpartition("-")[0] if each else case.partition("[")[0]


def left(items: Sequence[pytest.Item], named: Iterable[str], by: str) -> set[str]:
    """The ids of the cases that have no turn."""
    groups: dict[str, tuple[int, list[str]]] = defaultdict(lambda: (0, []))
    for item in items:
        if (marker := item.get_closest_marker("moving")) is not None:
            count, each = (*marker.args, None)[:2]
            group = kind(item.nodeid, each)
            groups[group] = (count, [*groups[group][1], item.nodeid])
    asked = [name for name in named if "[" in name]
    return {
        case
        for count, cases in groups.values()
        for case in {*cases} - some(cases, count, by)
        if not any(name.endswith(case) or case.endswith(name) for name in asked)
    }
