"""Few of many samples: those first that show what none before them shows."""

from __future__ import annotations

from typing import Any

from msmap.probe.sample import Sample
from msmap.probe.samples import choose


def sample(number: int, code: str, kinds: tuple[str, ...] = ("plain",), **spec: Any) -> Sample:
    inputs = {"x": {"shape": [2], "dtype": "float32"} | spec}
    return Sample("torch.sum", f"op-{number}", "op", code, inputs, "float32", kinds)


POOL = [
    sample(0, "torch.sum(x)"),
    sample(1, "torch.sum(x)"),
    sample(2, "torch.sum(x, 0)"),
    sample(3, "torch.sum(x, 1)"),
    sample(4, "torch.sum(x, dim=0)"),
    sample(5, "torch.sum(x, dim=-1)"),
    sample(6, "torch.sum(x)", ("empty",), shape=[0]),
    sample(7, "torch.sum(x)", shape=[2, 2]),
]


def test_the_first_few_are_as_different_as_can_be() -> None:
    """The calls that show nothing new come last."""
    order = ["op-2", "op-6", "op-4", "op-3", "op-5", "op-7", "op-0", "op-1"]
    assert [s.id for s in choose.few(POOL, 8)] == order


def test_what_was_taken_of_one_group_counts_in_the_next() -> None:
    spread = choose.Spread()
    assert next(spread.order(POOL)).id == "op-2"
    spread.take(POOL[2])
    assert next(spread.order(POOL)).id == "op-6"


def test_what_isn_t_taken_makes_nothing_less_worth() -> None:
    spread = choose.Spread()
    order = spread.order(POOL[:2])
    assert [s.id for s in order] == ["op-0", "op-1"]


def test_all_come_in_the_end() -> None:
    assert sorted(s.id for s in choose.few(POOL, 100)) == [s.id for s in POOL]
