"""What is found, counted: the whole, by name of PyTorch's and by file, the worst first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from msmap.scan.report import Api, Counts, InFile, Site
from msmap.scan.terms import CERTAINTIES, STATUSES


def counts(sites: Iterable[Site]) -> Counts:
    """All places by status and by certainty, findings by rule."""
    by: dict[str, Counter[str]] = defaultdict(Counter)
    for site in sites:
        if site.state:
            by["state"][site.state] += 1
            continue
        by["status"][site.status] += 1
        by["certainty"][site.certainty] += 1
        by["rule"][site.rule] += bool(site.rule)
    return Counts(
        {name: by["status"][name] for name in STATUSES},
        {name: by["certainty"][name] for name in CERTAINTIES},
        {name: count for name, count in by["rule"].most_common() if name},
        by["state"]["ignored"],
        by["state"]["known"],
    )


def apis(sites: Iterable[Site]) -> tuple[Api, ...]:
    """The names that are used, those with the most that is missing first, then what needs care.

    What may be of several names stands under the first, of a method on anything as ``.name``.
    """
    found: dict[str, Counter[str]] = defaultdict(Counter)
    targets: dict[str, Counter[str]] = defaultdict(Counter)
    for site in sites:
        if not site.state and site.apis:
            name = named(site)
            found[name][site.status] += 1
            if site.target:
                targets[name][site.target] += 1
    made = [
        Api(name, next((t for t, _ in targets[name].most_common(1)), ""), _ordered(by))
        for name, by in found.items()
    ]
    return tuple(sorted(made, key=lambda api: (*_worst(api.status), api.api)))


def named(site: Site) -> str:
    """What a place is listed under."""
    if site.certainty == "possible":
        return f".{site.apis[0].rpartition('.')[2]}"
    return site.apis[0] if site.apis else ""


def files(sites: Iterable[Site]) -> tuple[InFile, ...]:
    """The files that use PyTorch, the worst first."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for site in sites:
        if not site.state:
            found[site.path][site.status] += 1
    made = [InFile(path, _ordered(by)) for path, by in found.items()]
    return tuple(sorted(made, key=lambda file: (*_worst(file.status), file.path)))


def findings(sites: Iterable[Site]) -> list[Site]:
    """The places of which something is to be said, the worst first, then as they stand."""
    order = list(STATUSES)
    kept = [site for site in sites if site.counts]
    return sorted(kept, key=lambda site: (order.index(site.status), not site.likely))


def failing(sites: Sequence[Site], words: Iterable[str]) -> list[Site]:
    """The findings that some words of ``--fail-on`` name: statuses, certainties and rules."""
    wanted = set(words)
    return [
        site
        for site in sites
        if site.counts
        and ("any" in wanted or not wanted.isdisjoint((site.status, site.certainty, site.rule)))
    ]


def _ordered(by: Counter[str]) -> dict[str, int]:
    return {name: by[name] for name in STATUSES if by[name]}


def _worst(by: dict[str, int]) -> tuple[int, ...]:
    return tuple(-by.get(name, 0) for name in STATUSES)
