"""A sample as text, and what a name's samples say of themselves."""

from __future__ import annotations

import json

import pytest

from msmap.probe.sample import Sample, Sampling

SAMPLE = Sample(
    name="torch.mul",
    id="op-3-complex64-empty",
    origin="op",
    torch="torch.mul(input, other)",
    inputs={
        "input": {"values": ["(1+2j)", "nan"], "dtype": "complex64"},
        "other": {"shape": [2], "dtype": "float32", "low": -1.0, "high": 1.0},
    },
    dtype="complex64",
    kinds=("empty", "broadcasting"),
    gradient=True,
)


def test_a_sample_is_a_line_of_json() -> None:
    line = SAMPLE.dumps()
    assert "\n" not in line
    assert Sample.loads(line) == SAMPLE


def test_numbers_that_json_lacks_are_refused() -> None:
    """Readers in other languages take no NaN: such values are written as text."""
    inputs = {"x": {"values": [float("nan")], "dtype": "float32"}}
    sample = Sample("torch.abs", "made-0", "made", "torch.abs(x)", inputs, "float32", ("plain",))
    with pytest.raises(ValueError, match="JSON"):
        sample.dumps()
    assert json.loads(SAMPLE.dumps())["inputs"]["input"]["values"][1] == "nan"


def test_a_name_says_which_dtypes_it_is_tried_in() -> None:
    other = Sample("torch.mul", "made-0", "made", "torch.mul(2, 3)", {}, "", ("plain",))
    assert Sampling("torch.mul", (SAMPLE, other)).dtypes == ("complex64",)


def test_all_that_a_name_is_tried_with_is_a_line_of_json() -> None:
    sampling = Sampling("torch.mul", (SAMPLE,), {"op": 3, "error": 1}, {"sparse": 2})
    assert Sampling.loads(sampling.dumps()) == sampling
