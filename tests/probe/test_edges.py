"""The fixed set of transformations of a sample."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numpy")

from msmap.probe.sample import Sample
from msmap.probe.samples import edges
from msmap.probe.samples.call import Known
from msmap.signatures.files import Api

ADD = Known.of(Api("torch.add", "function", ("(input, other) -> Tensor",)))
MATRIX = {"shape": [2, 3], "dtype": "float32", "low": -2.0, "high": 2.0}
COUNT = {"values": [1, 2, 3], "dtype": "int64"}


def sample(**inputs: Any) -> Sample:
    return Sample("torch.add", "op-0", "op", "torch.add(x, y)", inputs, "float32", ("plain",))


def test_shapes_at_the_edge_and_odd_values() -> None:
    found = {s.id: (s.inputs, s.kinds) for s in edges.others(sample(x=MATRIX, y=COUNT), ADD)}
    assert found == {
        "op-0-zero-d": (
            {"x": {**MATRIX, "edge": "zero-d"}, "y": {**COUNT, "edge": "zero-d"}}, ("0-d",)
        ),
        "op-0-empty": (
            {"x": {**MATRIX, "edge": "empty"}, "y": {**COUNT, "edge": "empty"}}, ("empty",)
        ),
        "op-0-size-1": (
            {"x": {**MATRIX, "edge": "size-1"}, "y": {**COUNT, "edge": "size-1"}},
            ("size-1", "broadcasting"),
        ),
        # What has one axis has no other strides.
        "op-0-non-contiguous": (
            {"x": {**MATRIX, "edge": "non-contiguous"}, "y": COUNT},
            ("non-contiguous", "broadcasting"),
        ),
        "op-0-broadcast": (
            {"x": {**MATRIX, "edge": "size-1"}, "y": COUNT}, ("size-1", "broadcasting")
        ),
        "op-0-nonfinite": (
            {"x": {**MATRIX, "edge": "nonfinite"}, "y": COUNT}, ("broadcasting", "nonfinite")
        ),
    }  # fmt: skip


def test_dtypes_of_what_is_float32() -> None:
    found = {s.dtype: s.inputs["x"] for s in edges.dtypes(sample(x=MATRIX, y=COUNT), ADD)}
    assert found["float16"] == {**MATRIX, "dtype": "float16"}
    assert found["int32"] == {"shape": [2, 3], "dtype": "int32", "low": -2, "high": 2}
    assert found["uint8"] == {"shape": [2, 3], "dtype": "uint8", "low": 0, "high": 2}
    assert tuple(found) == edges.DTYPES


@pytest.mark.parametrize("values", [[-1.0], [1e4], ["nan"]])
def test_no_integer_is_made_of_what_none_can_hold(values: list[Any]) -> None:
    given = sample(x={"values": values, "dtype": "float32"})
    assert "uint8" not in {s.dtype for s in edges.dtypes(given, ADD)}


@pytest.mark.parametrize("given", [sample(), sample(x={"shape": [0], "dtype": "int64"})])
def test_what_has_nothing_to_change_stays(given: Sample) -> None:
    assert [*edges.others(given, ADD), *edges.dtypes(given, ADD)] == []
