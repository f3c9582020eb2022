"""Training steps that clip gradients: what clips them stays between gradients and step."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders.loops import loop, ported

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                if limit is not None:
                    torch.nn.utils.clip_grad_norm_(net.parameters(), limit)
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                if limit is not None:
                    grads = ops.clip_by_norm(grads, limit)
                optimizer(grads)
            """,
            id="clipped-on-a-condition",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                if by == "norm":
                    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                elif by == "value":
                    torch.nn.utils.clip_grad_value_(net.parameters(), 0.5)
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                if by == "norm":
                    grads = ops.clip_by_norm(grads, 1.0)
                elif by == "value":
                    grads = ops.clip_by_value(grads, -0.5, 0.5)
                optimizer(grads)
            """,
            id="clipped-by-one-of-two",
        ),
    ],
)
def test_what_clips_stands_ahead_of_the_step(
    anywhere: KnowledgeBase, code: str, expected: str
) -> None:
    assert loop(ported(anywhere, code)) == dedent(expected).lstrip("\n")
