"""Which target comes first, which samples become checks, and under which ids."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.builders.support import base, function, method

from msmap.probe.bench import Bench, Prepared
from msmap.probe.candidates import Idea
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


@pytest.mark.parametrize(
    ("agreed", "wanted"),
    [
        # What agrees more often.
        ({"ops": 30, "mint": 40}, ["mint", "ops"]),
        # Equal: a method of the same name, then what a sibling has.
        ({"mint": 30, "ops": 30, "Tensor": 30}, ["Tensor", "ops", "mint"]),
        # NumPy's interface only where MindSpore's own agrees far less.
        ({"numpy": 40, "ops": 30}, ["ops", "numpy"]),
        ({"numpy": 40, "ops": 29}, ["numpy", "ops"]),
        # What the record says.
        ({"mint": 40, "copy": 1}, ["copy", "mint"]),
        ({}, []),
    ],
)
def test_the_order_of_targets(agreed: dict[str, int], wanted: list[str]) -> None:
    ideas = {
        f"mindspore.{key}.f": Idea(
            f"mindspore.{key}.f", {"ops": "sibling", "copy": "record"}.get(key, "same_name"), None
        )
        for key in agreed
    }
    prepared = Prepared("torch.Tensor.f", ideas, {}, None)
    found = choose.order(prepared, {f"mindspore.{key}.f": n for key, n in agreed.items()})
    assert found == [f"mindspore.{key}.f" for key in wanted]


def test_numpys_interface_that_is_silently_wrong_is_behind_what_raises_there() -> None:
    """As arctan2, which takes some integers and gives float16 for others."""
    keys = ["mindspore.numpy.f", "mindspore.ops.f"]
    ideas = {key: Idea(key, "same_name", None) for key in keys}
    prepared = Prepared("torch.f", ideas, {}, None)
    agreed = {"mindspore.numpy.f": 33, "mindspore.ops.f": 24}
    assert choose.order(prepared, agreed) == keys
    assert choose.order(prepared, agreed, {"mindspore.numpy.f": 9}) == keys[::-1]
    assert choose.order(prepared, agreed, {"mindspore.ops.f": 9}) == keys


def test_a_function_becomes_no_method_where_a_function_agrees_as_well(tmp_path: Path) -> None:
    """Not even where a sibling's record has the method."""
    found = base(
        tmp_path, [function("torch.f", "(input)"), method("torch.Tensor.f", "()")],
        [function("mindspore.mint.f", "(input)"), method("mindspore.Tensor.f", "()")],
        ("torch.Tensor.f", "targets: [{api: mindspore.Tensor.f}]\n"),
    )  # fmt: skip
    prepared = Bench(found).prepare("torch.f")
    keys = ["mindspore.mint.f", "mindspore.Tensor.f"]
    assert list(prepared.targets) == keys[::-1]
    assert choose.order(prepared, dict.fromkeys(keys, 3)) == keys


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
