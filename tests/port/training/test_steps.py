"""Training steps: those proved to be one straight line become a function, the others stay."""

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
            for x, y in loader:
                optimizer.zero_grad()
                out = net(x)
                loss = criterion(out, y)
                loss.backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                out = net(x)
                loss = criterion(out, y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="zero-first",
        ),
        pytest.param(
            """
            for x, y in loader:
                loss = criterion(net(x), y)
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="zero-before-backward",
        ),
        pytest.param(
            """
            for x, y in loader:
                loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
                optimizer.zero_grad()
            """,
            """
            def forward_fn(x, y):
                loss = criterion(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="zero-last",
        ),
        pytest.param(
            """
            for x, y in loader:
                out = net(x)
                target = torch.zeros(3)
                with torch.no_grad():  # the other
                    target[y > 0] = other(x).max(1).values
                    # scaled
                    scale, shift = other(y), y + 1
                loss = criterion(out, target * scale + shift)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                out = net(x)
                target = mint.zeros((3,))
                # the other
                target[y > 0] = ops.stop_gradient(other(x).max(1).values)
                # scaled
                scale, shift = ops.stop_gradient(other(y)), y + 1
                loss = criterion(out, target * scale + shift)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="without-gradients-amid",
        ),
        pytest.param(
            """
            for x, y in loader:
                outs = []
                for i, row in enumerate(x):
                    outs.append(net(row))
                    # the first counts twice
                    if i == 0:
                        outs.append(net(row))
                if weight:
                    loss = criterion(outs, y) * weight
                else:
                    loss = criterion(outs, y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                for i in range(3):
                    print(i)
            """,
            """
            def forward_fn(x, y):
                outs = []
                for i, row in enumerate(x):
                    outs.append(net(row))
                    # the first counts twice
                    if i == 0:
                        outs.append(net(row))
                if weight:
                    loss = criterion(outs, y) * weight
                else:
                    loss = criterion(outs, y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
                for i in range(3):
                    print(i)
            """,
            id="loops-and-conditions",
        ),
        pytest.param(
            """
            for x, y in loader:
                net.zero_grad()
                F.cross_entropy(net(x), y).backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, y):
                return ops.cross_entropy(net(x), y)

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="no-name-for-the-loss",
        ),
        pytest.param(
            """
            scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
            # All batches.
            for i, (x, y) in enumerate(loader):
                x = x + 1
                optimizer.zero_grad()  # fresh

                # What the net says.
                out = net(x)
                loss = criterion(out, y)  # of the batch
                if i > 3:
                    print(loss.item())
                loss.backward()  # gradients
                norm = 1
                torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                print(out.shape, loss.item())
            """,
            """
            scheduler = mindspore.experimental.optim.lr_scheduler.StepLR(optimizer, 1)

            def forward_fn(x, y):
                out = net(x)
                loss = criterion(out, y)  # of the batch
                return loss, out

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

            # All batches.
            for i, (x, y) in enumerate(loader):
                x = x + 1
                # fresh

                # What the net says.
                (loss, out), grads = grad_fn(x, y)
                if i > 3:
                    print(loss.item())
                # gradients
                norm = 1
                grads = ops.clip_by_norm(grads, 1.0)
                optimizer(grads)
                scheduler.step()
                print(out.shape, loss.item())
            """,
            id="what-stands-between-stays",
        ),
        pytest.param(
            """
            grads = forward_fn = 0
            x, y = torch.ones(3), torch.ones(3)
            for _ in range(5):
                optimizer.zero_grad()
                loss = F.mse_loss(net(x), y)
                loss.backward()
                optimizer.step()
            """,
            """
            grads = forward_fn = 0
            x, y = mint.ones((3,)), mint.ones((3,))

            def forward_fn_2():
                loss = ops.mse_loss(net(x), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn_2, None, optimizer.parameters)

            for _ in range(5):
                loss, grads_2 = grad_fn()
                optimizer(grads_2)
            """,
            id="names-that-are-taken",
        ),
        pytest.param(
            """
            for epoch in range(3):
                other = torch.optim.Adam(net.parameters())
                for x, y in loader:
                    other.zero_grad()
                    loss = criterion(net(x), y)
                    loss.backward()
                    other.step()
            """,
            """
            for epoch in range(3):
                other = mindspore.experimental.optim.AdamW(net.trainable_params(), weight_decay=0.0)

                def forward_fn(x, y):
                    loss = criterion(net(x), y)
                    return loss

                grad_fn = mindspore.value_and_grad(forward_fn, None, other.parameters)

                for x, y in loader:
                    loss, grads = grad_fn(x, y)
                    other(grads)
            """,
            id="an-optimizer-made-in-a-loop",
        ),
        pytest.param(
            """
            second = torch.optim.SGD(criterion.parameters(), lr=0.2)
            for x, y in loader:
                optimizer.zero_grad()
                out = net(x)
                loss = criterion(out, y)
                loss.backward()
                optimizer.step()

                second.zero_grad()
                other = criterion(net(out.detach()), y)
                other.backward()
                second.step()
            """,
            """
            second = mindspore.experimental.optim.SGD(criterion.parameters(), lr=0.2)

            def forward_fn(x, y):
                out = net(x)
                loss = criterion(out, y)
                return loss, out

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

            def forward_fn_2(out, y):
                other = criterion(net(out.detach()), y)
                return other

            grad_fn_2 = mindspore.value_and_grad(forward_fn_2, None, second.parameters)

            for x, y in loader:
                (loss, out), grads = grad_fn(x, y)
                optimizer(grads)

                other, grads = grad_fn_2(out, y)
                second(grads)
            """,
            id="one-line-after-another",
        ),
        pytest.param(
            """
            class Process:
                def losses(self, net, x, y):
                    return (net(x) - y).abs().mean()

            process = Process()
            for x, y in loader:
                optimizer.zero_grad()
                loss = process.losses(net, x, y)
                loss.backward()
                optimizer.step()
            """,
            """
            class Process:
                def losses(self, net, x, y):
                    return (net(x) - y).abs().mean()

            process = Process()

            def forward_fn(x, y):
                loss = process.losses(net, x, y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="what-the-model-is-passed-to",
        ),
        pytest.param(
            """
            def edges(n):
                found = []
                for i in range(n):
                    found.append((i, i + 1))
                return torch.tensor(found)

            graph = edges(3)
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x, graph), y)
                loss.backward()
                optimizer.step()
            """,
            """
            def edges(n):
                found = []
                for i in range(n):
                    found.append((i, i + 1))
                return mindspore.tensor(found)

            graph = edges(3)

            def forward_fn(x, y):
                loss = criterion(net(x, graph), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="what-an-own-function-makes-of-a-list",
        ),
        pytest.param(
            """
            for x, y in loader:
                left = 0
                kept = []
                for one in y:
                    left = one + 0.9 * left
                    kept.insert(0, left)
                kept = torch.tensor(kept)
                loss = criterion(net(x), kept)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            """,
            """
            def forward_fn(x, kept):
                loss = criterion(net(x), kept)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                left = 0
                kept = []
                for one in y:
                    left = one + 0.9 * left
                    kept.insert(0, left)
                kept = mindspore.tensor(kept)
                loss, grads = grad_fn(x, kept)
                optimizer(grads)
            """,
            id="a-loop-ahead-of-it",
        ),
        pytest.param(
            """
            words = build(loader)
            for x, y in loader:
                loss = criterion(net(x).view(-1, len(words)), y)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            """,
            """
            words = build(loader)

            def forward_fn(x, y):
                loss = criterion(net(x).view(-1, len(words)), y)
                return loss

            grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)

            for x, y in loader:
                loss, grads = grad_fn(x, y)
                optimizer(grads)
            """,
            id="how-many-there-are-of-something",
        ),
    ],
)
def test_a_straight_line_becomes_a_function(
    anywhere: KnowledgeBase, code: str, expected: str
) -> None:
    assert loop(ported(anywhere, code)) == dedent(expected).lstrip("\n")


def test_in_a_method_the_function_takes_what_it_sees(anywhere: KnowledgeBase) -> None:
    code = """
class Trainer:
\tdef __init__(self, model: nn.Module):
\t\tself.model = model
\t\tself.optimizer = torch.optim.Adam(model.parameters())
\t\tself.criterion = nn.MSELoss()

\tdef step(self, x, y):
\t\tself.optimizer.zero_grad()
\t\tloss = self.criterion(self.model(x), y)
\t\tloss.backward()
\t\tself.optimizer.step()
\t\treturn loss.item()
"""
    done = anywhere.port(IMPORTS + code)
    assert done.code is not None
    assert (
        done.code.partition("\tdef step")[2]
        == """(self, x, y):
\t\tdef forward_fn():
\t\t\tloss = self.criterion(self.model(x), y)
\t\t\treturn loss

\t\tgrad_fn = mindspore.value_and_grad(forward_fn, None, self.optimizer.parameters)
\t\tloss, grads = grad_fn()
\t\tself.optimizer(grads)
\t\treturn loss.item()
"""
    )
    assert anywhere.port(done.code).code == done.code
