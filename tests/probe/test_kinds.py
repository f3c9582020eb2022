"""What is said of the inputs of a sample."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("numpy")

from msmap.probe.samples import kinds
from msmap.probe.samples.call import Known
from msmap.signatures.files import Api

SUM = Known.of(
    Api("torch.sum", "function", ("(input: Tensor, dim: int = 0, p: int = 2) -> Tensor",))
)
FLOAT = {"dtype": "float32"}

# code, the inputs, and which kinds they are
CASES: list[tuple[str, dict[str, dict[str, Any]], tuple[str, ...]]] = [
    ("torch.sum(x)", {"x": {"shape": [2, 3], **FLOAT}}, ("plain",)),
    ("torch.sum(2)", {}, ("plain",)),
    ("torch.sum(x)", {"x": {"values": 1.0, **FLOAT}}, ("0-d",)),
    ("torch.sum(x)", {"x": {"shape": [0, 3], **FLOAT}}, ("empty",)),
    ("torch.sum(x)", {"x": {"shape": [1, 3], **FLOAT}}, ("size-1",)),
    ("torch.sum(x)", {"x": {"shape": [2, 3], "edge": "non-contiguous", **FLOAT}},
     ("non-contiguous",)),
    ("torch.sum(x)", {"x": {"values": ["nan", "1.0"], **FLOAT}}, ("nonfinite",)),
    ("torch.sum(x)", {"x": {"shape": [4], "edge": "nonfinite", **FLOAT}}, ("nonfinite",)),
    ("torch.sum(x, y)", {"x": {"shape": [2, 3], **FLOAT}, "y": {"shape": [3], **FLOAT}},
     ("broadcasting",)),
    ("torch.sum(x, y)", {"x": {"shape": [2, 3], **FLOAT}, "y": {"values": 1.0, **FLOAT}}, ("0-d",)),
    ("torch.sum(x, y)", {"x": {"shape": [2], **FLOAT}, "y": {"shape": [4], **FLOAT}}, ("plain",)),
    ("torch.sum(x, -1)", {"x": {"shape": [2], **FLOAT}}, ("negative-axis",)),
    ("torch.sum(x, dim=(0, -1))", {"x": {"shape": [2], **FLOAT}}, ("negative-axis",)),
    ("torch.sum(x, 0, -1)", {"x": {"shape": [2], **FLOAT}}, ("plain",)),
    ("torch.sum(x, -1)", {"x": {"shape": [0, 1], **FLOAT}}, ("empty", "size-1", "negative-axis")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "inputs", "expected"), CASES)
def test_kinds(code: str, inputs: dict[str, dict[str, Any]], expected: tuple[str, ...]) -> None:
    assert kinds.of(code, inputs, SUM) == expected
