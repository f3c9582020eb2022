"""Samples said shortly: other names, small shapes, plain numbers."""

from __future__ import annotations

import math
from typing import Any

import pytest

from msmap.probe.draft import short
from msmap.probe.sample import Sample


def sample(code: str, **inputs: dict[str, Any]) -> Sample:
    return Sample("torch.mul", "op-1", "op", code, inputs, "float32", ("plain",))


def spec(*shape: int, dtype: str = "float32", **more: Any) -> dict[str, Any]:
    return {"shape": list(shape), "dtype": dtype, **more}


@pytest.mark.parametrize(
    ("given", "code", "inputs"),
    [
        (
            sample("torch.mul(input=input, other=other)", input=spec(5, 10, 5), other=spec(10, 5)),
            "torch.mul(input=x, other=y)",
            {"x": "float32[2, 3, 2]", "y": "float32[3, 2]"},
        ),
        (
            sample("torch.mul(input, x)", input=spec(4, 1), x=spec(0, 4, dtype="int64")),
            "torch.mul(x, i)",
            {"x": "float32[2, 1]", "i": "int64[0, 2]"},
        ),
        (
            sample("torch.mul(a, 2)", a={"values": [[1.5], [2.5]], "dtype": "float64"}),
            "torch.mul(d, 2)",
            {"d": "float64[2, 1]"},
        ),
        (
            sample("torch.mul(a, 2)", a=spec(7, 3, edge="empty")),
            "torch.mul(x, 2)",
            {"x": "float32[0, 2]"},
        ),
        (
            sample("torch.mul(a, 2)", a=spec(7, 3, edge="zero-d")),
            "torch.mul(x, 2)",
            {"x": "float32[]"},
        ),
    ],
)
def test_the_shortest_form(given: Sample, code: str, inputs: dict[str, str]) -> None:
    first = short.proposals(given)[0]
    found = {name: short.written(one) for name, one in first.inputs.items()}
    assert (first.torch, found) == (code, inputs)


def test_forms_come_nearer_to_the_sample() -> None:
    given = sample(
        "torch.mul(a, b)",
        a={"values": [1.5, -2.5, 3.0, 4.0], "dtype": "float32"},
        b={"values": [3, 1, 2, 0], "dtype": "int64"},
    )
    forms = [
        {name: short.written(one) for name, one in form.inputs.items()}
        for form in short.proposals(given)
    ]
    assert forms == [
        {"x": "float32[2]", "i": "int64[2]"},
        {"x": "float32[2] in -3..4", "i": {"values": [3, 1, 2], "dtype": "int64"}},
        {
            "x": {"values": [1.5, -2.5, 3.0], "dtype": "float32"},
            "i": {"values": [3, 1, 2], "dtype": "int64"},
        },
        # An index stays what it is, and what it is of as large as it is.
        {"x": "float32[4]", "i": {"values": [3, 1, 2, 0], "dtype": "int64"}},
        {
            "x": {"values": [1.5, -2.5, 3.0, 4.0], "dtype": "float32"},
            "i": {"values": [3, 1, 2, 0], "dtype": "int64"},
        },
    ]


@pytest.mark.parametrize(
    ("values", "dtype", "wanted"),
    [
        ([-1.5, 2.5], "int64", [-1, 2]),
        ([[0.0, 2.5]], "bool", [[False, True]]),
        ([1.5], "float64", [1.5]),
        (["nan"], "float32", [math.nan]),
        (["nan"], "int64", None),
        ([300.0], "uint8", None),
    ],
)
def test_values_are_those_that_the_dtype_has(values: Any, dtype: str, wanted: Any) -> None:
    """A sample may be of another dtype than the one that its values were made for."""
    forms = short.proposals(sample("torch.mul(a, 2)", a={"values": values, "dtype": dtype}))
    found = [short.written(next(iter(form.inputs.values()))) for form in forms[-1:]]
    assert repr(found) == repr([{"values": wanted, "dtype": dtype}] if wanted else [])


def test_what_a_check_cannot_have_has_no_form() -> None:
    given = sample("torch.mul(a, 2)", a=spec(3, 3, edge="non-contiguous"))
    assert short.proposals(given) == []
