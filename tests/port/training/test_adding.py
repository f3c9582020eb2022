"""Gradients that add up, over batches or losses: a sum, where nothing else has to do with them."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.builders.loops import IMPORTS, loop, ported

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param(
            """
            optimizer.zero_grad()
            for i, (x, y) in enumerate(loader):
                loss = criterion(net(x), y) / 4
                loss.backward()
                if (i + 1) % 4 == 0 or i + 1 == len(loader):
                    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                    optimizer.step()
                    optimizer.zero_grad(set_to_none=True)
                print(i)
            """,
            """
            total = None

            def forward_fn(x, y):
                loss = criterion(net(x), y) / 4
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for i, (x, y) in enumerate(loader):
                loss, grads = grad_fn(x, y)
                total = grads if total is None else [a + b for a, b in zip(total, grads)]
                if (i + 1) % 4 == 0 or i + 1 == len(loader):
                    total = ops.clip_by_norm(total, 1.0)
                    optimizer(total)
                    total = None
                print(i)
            """,
            id="every-fourth-batch",
        ),
        pytest.param(
            """
            for step in range(9):
                optimizer.zero_grad()
                for x, y in loader:
                    loss = criterion(net(x), y)
                    loss.backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for step in range(9):
                total = None
                for x, y in loader:
                    loss, grads = grad_fn(x, y)
                    total = grads if total is None else [a + b for a, b in zip(total, grads)]
                if total is not None:
                    optimizer(total)
            """,
            id="a-loop-that-may-be-empty",
        ),
        pytest.param(
            """
            for step in range(9):
                for x, y in loader:
                    loss = criterion(net(x), y)
                    x = y
                    loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)
            total = None

            for step in range(9):
                for x, y in loader:
                    loss, grads = grad_fn(x, y)
                    total = grads if total is None else [a + b for a, b in zip(total, grads)]
                    x = y
                if total is not None:
                    optimizer(total)
                total = None
            """,
            id="always-cleared-at-the-end",
        ),
        pytest.param(
            """
            for x, y in loader:
                net.zero_grad()
                one = criterion(net(x), y)
                one.backward()
                two = criterion(net(y), x)
                two.backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                one = criterion(net(x), y)
                return one

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            def forward_fn_2(y, x):
                two = criterion(net(y), x)
                return two

            grad_fn_2 = mindspore.value_and_grad(forward_fn_2, None, optimizer.parameters)

            for x, y in loader:
                total = None
                one, grads = grad_fn(x, y)
                total = grads if total is None else [a + b for a, b in zip(total, grads)]
                two, grads = grad_fn_2(y, x)
                total = grads if total is None else [a + b for a, b in zip(total, grads)]
                optimizer(total)
            """,
            id="two-losses",
        ),
        pytest.param(
            """
            for x, y in loader:
                loss = criterion(net(x), y)
                optimizer.zero_grad()
                half = loss / 2
                half.backward()
                if len(x) > 2:
                    optimizer.step()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                half = loss / 2
                return half

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                total = None
                half, grads = grad_fn(x, y)
                total = grads if total is None else [a + b for a, b in zip(total, grads)]
                if len(x) > 2:
                    optimizer(total)
            """,
            id="cleared-amid-what-computes-the-loss",
        ),
    ],
)
def test_gradients_that_add_up_become_a_sum(
    anywhere: KnowledgeBase, code: str, expected: str
) -> None:
    done = ported(anywhere, code)
    assert done.refusals == ()
    assert loop(done) == dedent(expected).lstrip("\n")


def test_a_module_that_is_made_here_has_no_gradients_yet(anywhere: KnowledgeBase) -> None:
    done = anywhere.port(
        IMPORTS
        + dedent(
            """
            net = nn.Linear(3, 4)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            for i, (x, y) in enumerate(loader):
                loss = F.mse_loss(net(x), y) / 4
                loss.backward()
                if i % 4 == 3:
                    optimizer.step()
                    optimizer.zero_grad()
            """
        )
    )
    assert done.refusals == ()
    assert loop(done) == dedent(
        """
        def forward_fn(x, y):
            loss = ops.mse_loss(net(x), y) / 4
            return loss

        grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)
        total = None

        for i, (x, y) in enumerate(loader):
            loss, grads = grad_fn(x, y)
            total = grads if total is None else [a + b for a, b in zip(total, grads)]
            if i % 4 == 3:
                optimizer(total)
                total = None
        """
    ).lstrip("\n")


LOOP = """
optimizer.zero_grad()
for i, (x, y) in enumerate(loader):
    loss = criterion(net(x), y)
    loss.backward()
    %s
    if i % 4 == 3:
        optimizer.step()
        optimizer.zero_grad(%s)
"""


@pytest.mark.parametrize(
    ("code", "why"),
    [
        pytest.param(
            LOOP.replace("%s", "helper(optimizer)", 1).replace("%s", ""),
            "`helper` is given the optimizer, and may step or clear gradients",
            id="given-to-what-nobody-knows",
        ),
        pytest.param(
            LOOP.replace("%s", "fit(net, loader, criterion)", 1).replace("%s", ""),
            "`fit`, which is called meanwhile, has to do with gradients too",
            id="itself",
        ),
        pytest.param(
            "def clear():\n    net.zero_grad()\n\n"
            + LOOP.replace("%s", "clear()", 1).replace("%s", ""),
            "`clear`, which is called meanwhile, has to do with gradients too",
            id="cleared-by-a-function",
        ),
        pytest.param(
            LOOP.replace("%s", "net.zero_grad() if i > 7 else None", 1).replace("%s", ""),
            "gradients are cleared or clipped within an expression",
            id="cleared-within-an-expression",
        ),
        pytest.param(
            LOOP.replace("%s", "other.zero_grad()", 1).replace("%s", ""),
            "nothing proves whose gradients are cleared",
            id="cleared-for-something-else",
        ),
        pytest.param(
            "zip = list\n" + LOOP.replace("%s", "pass", 1).replace("%s", ""),
            "`zip` stands for something else here",
            id="another-zip",
        ),
        pytest.param(
            """
            optimizer.zero_grad()
            for x, y in loader:
                loss = criterion(net(x), y)
                loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=False)
            """,
            "gradients are set to 0, by which an optimizer steps too",
            id="set-to-0",
        ),
    ],
)
def test_what_else_has_to_do_with_gradients_keeps_them(
    anywhere: KnowledgeBase, code: str, why: str
) -> None:
    done = ported(anywhere, code)
    stays = {r.reason.en.partition(". Write")[0] for r in done.refusals if "stays" in r.reason.en}
    assert stays == {f"the training step stays: {why}"}
