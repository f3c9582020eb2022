"""Losses that a method of an own object computes, from a network that it is given."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest
from tests.builders.loops import IMPORTS, loop

from msmap.query.knowledge_base import KnowledgeBase

OWN = """
class Process:
    def losses(self, net, x, y):
        return F.mse_loss(net(x), y)


def fit(net: nn.Module, loader):
    {}
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
"""
STEP = """
for x, y in loader:
    optimizer.zero_grad()
    loss = process.losses(net, x, y)
    loss.backward()
    optimizer.step()
"""
WHOLE = """
def forward_fn(x, y):
    loss = process.losses(net, x, y)
    return loss

grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

for x, y in loader:
    loss, grads = grad_fn(x, y)
    optimizer(grads)
"""


@pytest.mark.parametrize(
    "made",
    ["process = Process()", "process, count = Process(), 3", "[process, count] = [Process(), 3]"],
)
def test_what_the_method_computes_is_the_loss(anywhere: KnowledgeBase, made: str) -> None:
    step = indent(STEP.lstrip("\n"), "    ")
    done = anywhere.port(IMPORTS + OWN.lstrip("\n").replace("{}", made) + step)
    assert loop(done) == dedent(WHOLE).lstrip("\n")


@pytest.mark.parametrize(
    "made",
    [
        "adj = torch.from_numpy(scaled(table))",
        "adj = torch.tensor(scaled(table).dot(table))",
        "adj = torch.tensor([scaled(one) for one in table])",
    ],
)
def test_tensors_that_are_made_of_values_stay_ahead(anywhere: KnowledgeBase, made: str) -> None:
    code = f"""
def fit(net: nn.Module, table, x, y):
    {made}
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(net(x) @ adj, y)
        loss.backward()
        optimizer.step()
"""
    expected = """
def forward_fn():
    loss = ops.mse_loss(net(x) @ adj, y)
    return loss

grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

for _ in range(3):
    loss, grads = grad_fn()
    optimizer(grads)
"""
    assert loop(anywhere.port(IMPORTS + code.lstrip("\n"))) == expected.lstrip("\n")
