"""Steps on a condition: the loss is computed either way, gradients only where it holds."""

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
            for x, y, phase in loader:
                # fresh ones
                optimizer.zero_grad()

                # only in training
                with torch.set_grad_enabled(phase == "train"):
                    out = net(x)
                    _, preds = torch.max(out, 1)
                    loss = criterion(out, y)

                    # backward, and the step
                    if phase == "train":
                        loss.backward()
                        optimizer.step()

                print(preds, y)
            """,
            """
            def forward_fn(x, y):
                out = net(x)
                _, preds = mint.max(out, 1)
                loss = criterion(out, y)
                return loss, preds

            for x, y, phase in loader:
                # fresh ones

                # only in training
                if phase == "train":
                    grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)
                    (loss, preds), grads = grad_fn(x, y)
                else:
                    loss, preds = forward_fn(x, y)

                # backward, and the step
                if phase == "train":
                    optimizer(grads)

                print(preds, y)
            """,  # noqa: E501
            id="in-phases",
        ),
        pytest.param(
            """
            for x, y in loader:
                out = net(x)
                loss = criterion(out, y)
                if net.training:
                    optimizer.zero_grad()
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                    optimizer.step()
                else:
                    print(x)
            """,
            """
            def forward_fn(x, y):
                out = net(x)
                loss = criterion(out, y)
                return loss

            for x, y in loader:
                if net.training:
                    grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)
                    loss, grads = grad_fn(x, y)
                else:
                    loss = forward_fn(x, y)
                if net.training:
                    grads = ops.clip_by_norm(grads, 1.0)
                    optimizer(grads)
                else:
                    print(x)
            """,
            id="where-it-trains",
        ),
        pytest.param(
            """
            for x, y in loader:
                with torch.set_grad_enabled(mode):
                    loss = criterion(net(x), y)
                if mode:
                    loss.backward()
                    optimizer.step()
                    optimizer.zero_grad()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            for x, y in loader:
                if mode:
                    grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)
                    loss, grads = grad_fn(x, y)
                else:
                    loss = forward_fn(x, y)
                if mode:
                    optimizer(grads)
            """,
            id="behind-the-block",
        ),
    ],
)  # fmt: skip
def test_gradients_are_computed_where_a_step_follows(
    anywhere: KnowledgeBase, code: str, expected: str
) -> None:
    done = ported(anywhere, code)
    assert done.refusals == ()
    assert loop(done) == dedent(expected).lstrip("\n")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                if loss < 3:
                    loss.backward()
                    optimizer.step()
            """,
            "the condition to step may depend on what is computed",
            id="on-the-loss",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                if next(flags):
                    loss.backward()
                    optimizer.step()
            """,
            "the condition to step may depend on what is computed",
            id="on-what-is-asked-once",
        ),
        pytest.param(
            """
            for x, y in loader:
                with torch.set_grad_enabled(not mode):
                    loss = criterion(net(x), y)
                if mode:
                    optimizer.zero_grad()
                    loss.backward()
                    optimizer.step()
            """,
            "the loss is not computed in one straight line",
            id="gradients-on-another",
        ),
        pytest.param(
            """
            optimizer.zero_grad()
            for x, y in loader:
                loss = criterion(net(x), y)
                if mode:
                    loss.backward()
                    optimizer.step()
            """,
            "no zero_grad() stands beside it: gradients may accumulate",
            id="cleared-once",
        ),
    ],
)
def test_a_condition_that_may_change_keeps_the_step(
    anywhere: KnowledgeBase, code: str, why: str
) -> None:
    done = ported(anywhere, code)
    stays = {r.reason.en.partition(". Write")[0] for r in done.refusals if "stays" in r.reason.en}
    assert stays == {f"the training step stays: {why}"}
