"""What the calls of an API give: by place, by keyword, to the layer that they make."""

from __future__ import annotations

import pytest
from tests.builders.support import base, function, layer, method

from msmap.assemble.base import Base
from msmap.port import record_calls

TORCH = [
    function("torch.sum", "(input, dim=None, keepdim=False)", "(input)"),
    method("torch.Tensor.add", "(other, *, alpha=1)"),
    layer("torch.nn.Dropout", "(p=0.5, inplace=False)", call="(input)"),
    layer("torch.nn.Pack", "(size)", call="(first, *rest, mask=None)"),
]
MISSING = "missing: {en: No., zh: 无。}"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    folder = tmp_path_factory.mktemp("calls")
    return base(folder, TORCH, [], *((api.name, MISSING) for api in TORCH))


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        ("torch.sum", "y = torch.sum(x, 1)\ntorch.sum(y, keepdim=True)",
         {"input": ["x", "y"], "dim": ["1"], "keepdim": ["True"]}),
        ("torch.sum", "torch.mean(x, dim=1)", {}),
        ("torch.sum", "torch.sum(x, axis=1)", {"input": ["x"], "dim": ["1"]}),
        ("torch.sum", "torch.sum(x, axes=1)", {"axes": ["1"]}),
        ("torch.Tensor.add", "x.add(y, alpha=2)", {"self": ["x"], "other": ["y"], "alpha": ["2"]}),
        ("torch.nn.Dropout", "torch.nn.Dropout(0.1)(x)", {"p": ["0.1"]}),
    ],
)  # fmt: skip
def test_what_calls_give_is_told_by_parameter(
    name: str, code: str, expected: dict[str, list[str]], facts: Base
) -> None:
    assert record_calls.given(record_calls.read(code, facts.records[name], facts)) == expected


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        ("torch.nn.Dropout", "torch.nn.Dropout(0.1)(x)", {"input": ["x"]}),
        ("torch.nn.Dropout", "torch.nn.Dropout(0.1).eval()(input=x)", {"input": ["x"]}),
        ("torch.nn.Dropout", "drop = torch.nn.Dropout().eval()\ndrop(x), len(x)",
         {"input": ["x"]}),
        ("torch.nn.Dropout", "torch.nn.Dropout(0.1)", {}),
        ("torch.nn.Pack", "torch.nn.Pack(3)(a, b, c, mask=m)",
         {"first": ["a"], "rest": ["b", "c"], "mask": ["m"]}),
    ],
)  # fmt: skip
def test_what_layers_are_called_with_is_told_by_input(
    name: str, code: str, expected: dict[str, list[str]], facts: Base
) -> None:
    assert record_calls.inputs(record_calls.read(code, facts.records[name], facts)) == expected
