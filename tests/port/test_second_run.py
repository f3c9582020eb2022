"""A second run changes nothing, and what the first one writes can be parsed."""

from __future__ import annotations

import ast

import pytest

from msmap.query.knowledge_base import KnowledgeBase

# What stays makes a tensor that is still proved to be one of PyTorch's in a second run.
HEAD = """import torch
from torch.distributions import Independent, Normal


def f(x: "torch.Tensor", y: torch.Tensor, flag):
    kept = torch.add(x, y, out=y)
    torch.relu_(kept)
"""


@pytest.mark.parametrize(
    "code",
    [
        "return kept.transpose(0, 1)",
        "return kept.expand(2, 3)",
        "return kept.expand(2, 3).transpose(0, 1)",
        "d = Independent(Normal(x, y), 1)\n    return d.mean",
        "d = Normal(kept, y)\n    return d.mean, d.stddev, d.rsample()",
        "b = kept.t()\n    b.zero_()\n    b[flag] = 0",
        "kept[0].add_(1)",
        "return kept.to(torch.float16)",
        "kept.forward = flag",
        "return kept.real, kept.real.dtype",
        "n = torch.nn.LSTM(3, 4, proj_size=3)\n    return [*n.buffers()], dict(n.named_buffers())",
    ],
)
def test_a_second_run_changes_nothing(code: str, facts: KnowledgeBase) -> None:
    once = facts.port(f"{HEAD}    {code}\n").code or ""
    assert (facts.port(once).code or "") == once


def test_an_index_becomes_a_number_once(facts: KnowledgeBase) -> None:
    """Also where the class still has a base of PyTorch's."""
    once = facts.port(
        "import torch.utils.data as data\n\n\nclass Base(data.Dataset[int]):\n"
        "    pass\n\n\nclass Own(Base):\n    def __getitem__(self, i):\n"
        "        return self.x[i]\n"
    ).code
    assert once is not None
    assert once.count("i = int(i)") == 1
    assert facts.port(once).code == once


@pytest.mark.parametrize(
    "code",
    [
        "x[0].add_(\n        y[0]\n    )",
        "torch.narrow(x, 0, 0, 1).add_(\n        y\n    )",
        "b = x.t()\n    b.copy_(  # why\n        y\n    )",
        "x[0].zero_(); x[1].fill_(\n        2\n    )",
        "print(torch._C._profiler.ProfilerActivity.__repr__)",
    ],
)
def test_it_can_be_parsed(code: str, facts: KnowledgeBase) -> None:
    once = facts.port(f"{HEAD}    {code}\n").code or ""
    ast.parse(once)
    assert (facts.port(once).code or "") == once
