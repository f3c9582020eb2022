"""Training steps in several blocks: each has to clear the gradients that it moves by."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

TWO = """
import torch
from torch import nn
def train(loader, n):
    one, two = nn.Linear(2, 2), nn.Linear(2, 2)
    a = torch.optim.SGD(one.parameters(), lr=0.1)
    b = torch.optim.SGD(two.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        {first}
        loss = two(one(x)).sum()
        loss.backward()
        a.step()
        if i % n == 0:
            {second}
            other = two(one(x)).mean()
            other.backward()
            b.step()
"""


def test_steps_of_several_blocks_that_clear_their_own(facts: KnowledgeBase) -> None:
    done = facts.port(TWO.format(first="a.zero_grad()", second="b.zero_grad()"))
    assert done.refusals == ()
    assert "        loss, grads = grad_fn(x)\n        a(grads)\n" in (done.code or "")
    assert "            other, grads = grad_fn_2(x)\n            b(grads)\n" in (done.code or "")


@pytest.mark.parametrize(
    ("first", "second"), [("pass", "b.zero_grad()"), ("a.zero_grad()", "pass")]
)
def test_steps_of_several_blocks_that_do_not(first: str, second: str, facts: KnowledgeBase) -> None:
    done = facts.port(TWO.format(first=first, second=second))
    assert any("the training step stays" in refusal.reason.en for refusal in done.refusals)
