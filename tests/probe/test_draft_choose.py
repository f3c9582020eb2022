"""Which samples become checks, and under which ids."""

from __future__ import annotations

from typing import Any

from msmap.probe.draft import choose
from msmap.probe.draft.choose import Feature
from msmap.probe.sample import Sample


def sample(id: str, **changes: Any) -> Sample:
    plain: dict[str, Any] = {
        "name": "torch.sum", "id": id, "origin": "op", "torch": "torch.sum(x)", "inputs": {},
        "dtype": "float32", "kinds": ("plain",),
    }  # fmt: skip
    return Sample(**plain | changes)


def chosen(*samples: tuple[Sample, set[Feature]]) -> list[tuple[str, str]]:
    every = {one.id: (one, frozenset(shown)) for one, shown in samples}
    return [(name, one.id) for name, one in choose.checks(every)]


FLOAT: Feature = ("dtype", "")
DIM: Feature = ("given", "dim")
KEEP: Feature = ("given", "keepdim")


def test_the_shortest_comes_first_and_then_what_shows_most() -> None:
    assert chosen(
        (sample("a", torch="torch.sum(x, dim=0)"), {FLOAT, DIM}),
        (sample("b", torch="torch.sum(x, dim=0, keepdim=True)"), {FLOAT, DIM, KEEP}),
        (sample("c"), {FLOAT}),
        (sample("d"), {FLOAT}),
    ) == [("plain", "c"), ("dim-keepdim", "b")]


def test_dtypes_and_kinds_are_shown_once() -> None:
    assert chosen(
        (sample("a"), {FLOAT}),
        (sample("b", dtype="float16"), {("dtype", "half")}),
        (sample("c", dtype="float16", torch="torch.sum(x, -1)"), {("dtype", "half"), DIM,
                                                                  ("kind", "negative-axis")}),
    ) == [("plain", "a"), ("dim-negative-axis", "c")]  # fmt: skip


def test_odd_inputs_and_dtypes_do_not_come_first() -> None:
    assert chosen(
        (sample("a", kinds=("0-d",)), {FLOAT}),
        (sample("b", dtype="bool", torch="torch.sum(b)"), {("dtype", "bool")}),
        (sample("c", torch="torch.sum(input=x)"), {FLOAT}),
        (sample("d", torch="torch.sum(x, ())"), {FLOAT}),
    ) == [("plain", "c"), ("bool", "b")]


def test_nothing_to_choose_from() -> None:
    assert chosen() == []
