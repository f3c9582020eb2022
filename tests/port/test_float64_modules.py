"""float64 given to modules of the source, and to what divides: the file says what is rounded."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

SOURCE = """import torch
from torch import nn

class Scale(nn.Module):
    def forward(self, x):
        return {forward}

net = Scale()
x = torch.ones(2, dtype={dtype})
y = net(x)
"""


def said(facts: KnowledgeBase, forward: str, dtype: str = "torch.float64") -> list[str]:
    done = facts.port(SOURCE.format(forward=forward, dtype=dtype))
    return [one.source for one in done.refusals if "float64 tensor to this module" in one.reason.en]


@pytest.mark.parametrize(
    ("forward", "where"),
    [
        ("x * 0.1", ["x * 0.1"]),
        ("0.7 - x", ["0.7 - x"]),
        ("x > 0.3", ["x > 0.3"]),
        ("x * 0.1 + 0.7 * x", ["x * 0.1", "0.7 * x"]),
        ("(x * 0.1) * 0.3", ["(x * 0.1) * 0.3"]),
        # float32 holds these.
        ("x * 2", []),
        ("x * 0.5", []),
        ("torch.relu(x)", []),
    ],
)
def test_numbers_of_a_module_that_takes_float64_are_said(
    forward: str, where: list[str], facts: KnowledgeBase
) -> None:
    assert said(facts, forward) == where
    assert said(facts, forward, "torch.float32") == []


@pytest.mark.parametrize(
    ("line", "is_said"),
    [
        ("torch.fmod(d, 0.1)", True),
        ("torch.remainder(d, 0.1)", True),
        ("d.fmod(0.1)", True),
        ("d.remainder(other=0.1)", True),
        ("torch.fmod(d, d)", True),
        ("torch.fmod(d, 2)", False),
        ("d.remainder(0.5)", False),
        ("torch.fmod(f, 0.1)", False),
    ],
)
def test_quotients_of_float64_are_said(line: str, is_said: bool, facts: KnowledgeBase) -> None:
    made = "d = torch.ones(2, dtype=torch.float64)\nf = torch.ones(2)\n"
    done = facts.port(f"import torch\n{made}y = {line}\n")
    kinds = [one.kind for one in done.refusals if "quotient is rounded" in one.reason.en]
    assert kinds == ["differs"] * is_said
