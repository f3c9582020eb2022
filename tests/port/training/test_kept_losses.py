"""Training steps whose loss is kept on an object, or computed where it is differentiated."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

CLASS = """
import torch
class Trainer:
    def __init__(self):
        self.net = torch.nn.Linear(2, 2)
        self.criterion = torch.nn.MSELoss()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
    def step(self, x, y, train):
"""
ON_SELF = {
    "behind": (
        """
        self.optimizer.zero_grad()
        out = self.net(x)
        self.loss = self.criterion(out, y)  # kept
        self.loss.backward()
        self.optimizer.step()
        """,
        """
        def forward_fn():
            out = self.net(x)
            return self.criterion(out, y)

        grad_fn = mindspore.value_and_grad(forward_fn, None, self.optimizer.parameters)
        self.loss, grads = grad_fn()
        # kept
        self.optimizer(grads)
        """,
    ),
    "at once": (
        """
        self.optimizer.zero_grad()
        self.loss = self.criterion(self.net(x), y)  # kept
        print(self.loss.item())
        self.loss.backward()  # back
        self.optimizer.step()
        """,
        """
        def forward_fn():
            return self.criterion(self.net(x), y)

        grad_fn = mindspore.value_and_grad(forward_fn, None, self.optimizer.parameters)
        # kept
        self.loss, grads = grad_fn()
        print(self.loss.item())
        # back
        self.optimizer(grads)
        """,
    ),
    "on a condition": (
        """
        self.loss = self.criterion(self.net(x), y)
        if train:
            self.optimizer.zero_grad()
            self.loss.backward()
            self.optimizer.step()
        """,
        "the loss is not computed in the same block",
    ),
    "in a condition": (
        """
        if train:
            self.optimizer.zero_grad()
            self.criterion(self.net(x), y).backward()  # back
            self.optimizer.step()
        """,
        """
        if train:
            def forward_fn():
                return self.criterion(self.net(x), y)

            grad_fn = mindspore.value_and_grad(forward_fn, None, self.optimizer.parameters)
            # back
            loss, grads = grad_fn()
            self.optimizer(grads)
        """,
    ),
    "logged in between": (
        """
        self.optimizer.zero_grad()
        out = self.net(x)
        self.log(out)
        self.loss = self.criterion(out, y)
        self.loss.backward()
        self.optimizer.step()
        """,
        "the loss is not computed in one straight line",
    ),
    "twice": (
        """
        self.optimizer.zero_grad()
        self.loss = self.criterion(self.net(x), y)
        self.loss = self.loss * 2
        self.loss.backward()
        self.optimizer.step()
        """,
        "the loss is not computed in the same block",
    ),
}


@pytest.mark.parametrize("name", ON_SELF)
def test_a_loss_that_is_kept_on_an_object(name: str, facts: KnowledgeBase) -> None:
    """It is set from what the function gives; without the last statement before it, it stays."""
    code, expected = (dedent(text).strip("\n") for text in ON_SELF[name])
    indented = "".join(f"        {line}\n" if line else "\n" for line in code.splitlines())
    done = facts.port(CLASS.lstrip() + indented)
    found = dedent((done.code or "").partition("train):\n")[2]).strip("\n")
    if "\n" in expected:
        assert found == expected
    else:
        assert any(expected in refusal.reason.en for refusal in done.refusals)
