"""Releases put in order, chosen by what people write, and held against ranges."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msmap.errors import UnknownRelease


def order(release: str) -> list[tuple[bool, int, str]]:
    """A key to sort by: 2.9.0 before 2.10.0, and 2.10.0rc1 before 2.10.0."""
    parts = re.findall(r"\d+|[a-z]+", release)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in [*parts, "0"]]


def choose(wanted: str | None, known: Sequence[str], framework: str) -> str:
    """The release meant: the newest for None, and the newest 2.7 for ``2.7``.

    Raises:
        UnknownRelease: none of the known ones is meant.
    """
    ordered = sorted(known, key=order)
    if wanted is None:
        return ordered[-1]
    wanted = wanted.strip()
    if wanted in ordered:
        return wanted
    fitting = [release for release in ordered if release.startswith(f"{wanted}.")]
    if not fitting:
        raise UnknownRelease('{} release "{}": one of {}', framework, wanted, ", ".join(ordered))
    return fitting[-1]


def within(release: str, versions: str | None) -> bool:
    """Whether a release lies in a range such as ``>=2.8,<2.10``; None is any."""
    for bound in (versions or "").split(",") if versions else ():
        least = bound.startswith(">=")
        after = _numbers(release) >= _numbers(bound.lstrip("<>="))
        if after is not least:
            return False
    return True


def _numbers(release: str) -> list[int]:
    """The numbers of a release without the zeros it ends with: 2.8 and 2.8.0 are one."""
    found = [int(part) for part in re.split(r"[^\d.]", release)[0].split(".") if part]
    while found and found[-1] == 0:
        found.pop()
    return found
