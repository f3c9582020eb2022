"""Tensors cast to a type that is named by a class, and indices that are one result."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("x.type(torch.FloatTensor)", "x.type(mindspore.float32)"),
        ("x.type(torch.cuda.LongTensor)", "x.type(mindspore.int64)"),
        ("x.type(torch.BoolTensor).sum()", "x.type(mindspore.bool_).sum()"),
        ("x.type(torch.HalfTensor).size(0)", "x.type(mindspore.float16).shape[0]"),
        (
            "torch.nonzero(x, as_tuple=False).size(0)",
            "mindspore.ops.nonzero(x, as_tuple=False).shape[0]",
        ),
        ("x.nonzero(as_tuple=False).size(0)", "x.nonzero(as_tuple=False).shape[0]"),
    ],
)
def test_what_is_cast_or_found_is_a_tensor(code: str, becomes: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"import torch\ndef f(x: torch.Tensor):\n    return {code}\n")
    assert (done.code or "").splitlines()[-1] == f"    return {becomes}"
    assert done.refusals == ()


@pytest.mark.parametrize("code", ["net.type(torch.FloatTensor)", "same(x, torch.FloatTensor)"])
def test_what_else_takes_such_a_class_keeps_it(code: str, facts: KnowledgeBase) -> None:
    head = "import torch\ndef f(x: torch.Tensor, net: torch.nn.Module, same):\n"
    assert "torch.FloatTensor" in str(facts.port(f"{head}    {code}\n").code)
