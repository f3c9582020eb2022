"""Names over the releases of a framework: since when, until when, and what each release has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import attrgetter

from msmap.signatures.files import Api
from msmap.signatures.parse import Parameter, parse


@dataclass(frozen=True, slots=True)
class Span:
    """What a name is from one release to another, as places in the list of releases."""

    api: Api
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Since and until when a name exists ("" if always), and the releases that changed it."""

    since: str = ""
    until: str = ""
    changed: tuple[str, ...] = ()


ALWAYS = Lifetime()


def spans(releases: Sequence[dict[str, Api]]) -> dict[str, list[Span]]:
    """The spans of every name, from the oldest release to the newest.

    Where a name is read from and where it is defined makes no new span: the newest of a span
    says it for all of it.
    """
    found: dict[str, list[Span]] = {}
    for place, apis in enumerate(releases):
        for name, api in apis.items():
            mine = found.setdefault(name, [])
            if mine and mine[-1].last == place - 1 and alike(mine[-1].api, api):
                mine[-1] = Span(api, mine[-1].first, place)
            else:
                mine.append(Span(api, place, place))
    return found


def alike(one: Api | None, other: Api | None) -> bool:
    """Whether readers can't tell what two releases have under a name, None for nothing."""
    if one is None or other is None:
        return one is other
    return one is other or _seen(one) == _seen(other)


_seen = attrgetter("kind", "signatures", "call", "alias_of", "platforms", "deprecated")


def lifetime(found: Sequence[Span], releases: Sequence[str]) -> Lifetime:
    """What there is to say of a name, from its spans; ``releases`` from the oldest on."""
    first, last = found[0].first, found[-1].last
    return Lifetime(
        since=releases[first] if first else "",
        until=releases[last] if last < len(releases) - 1 else "",
        changed=tuple(
            releases[after.first]
            for before, after in pairwise(found)
            if differ(before.api.signatures, after.api.signatures)
            or differ(before.api.call, after.api.call)
        ),
    )


def differ(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a call could tell two lists of overloads apart; nobody can tell from an unknown."""
    return bool(one and other) and shapes(one) != shapes(other)


def shapes(overloads: Sequence[str]) -> set[tuple[Parameter, ...]]:
    """Overloads without annotations, which change nothing for who calls."""
    return {tuple(replace(p, annotation="") for p in parse(text).parameters) for text in overloads}
