"""Code about one form of an operation, written for another."""

from __future__ import annotations

import pytest

from msmap.probe.draft.siblings import recast

FUNCTION, METHOD = "torch.tanh", "torch.Tensor.tanh"
FUNCTIONAL, LAYER = "torch.nn.functional.gelu", "torch.nn.GELU"


@pytest.mark.parametrize(
    ("sibling", "name", "code", "made"),
    [
        (FUNCTION, METHOD, "torch.tanh(x * 3)", "(x * 3).tanh()"),
        (FUNCTION, METHOD, "torch.tanh(input=x)", "x.tanh()"),
        (METHOD, FUNCTION, "1 - x.tanh()", "1 - torch.tanh(x)"),
        (METHOD, "torch.Tensor.tanh_", "x.tanh()", "x.tanh_()"),
        (FUNCTIONAL, LAYER, "F.gelu(x, approximate='tanh')",
         "torch.nn.GELU(approximate='tanh')(x)"),
        (LAYER, FUNCTIONAL, "nn.GELU('tanh')(x)", "torch.nn.functional.gelu(x, 'tanh')"),
        (LAYER, FUNCTIONAL, "net = torch.nn.GELU()\nnet(x)", None),
        (FUNCTION, METHOD, "mindspore.grad(lambda v: {{ torch.tanh(v) }}.sum())(x)",
         "mindspore.grad(lambda v: {{ v.tanh() }}.sum())(x)"),
        (FUNCTION, METHOD, "torch.sin(x)", None),
    ],
)  # fmt: skip
def test_recast(sibling: str, name: str, code: str, made: str | None) -> None:
    assert recast(code, sibling, name) == made
