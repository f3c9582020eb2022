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


WHOLE = """
import torch
from torch import nn
class Config:
    def __init__(self, size): self.size = size
class Net(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.rnn = nn.LSTM(cfg.size, cfg.size)
    def forward(self, x, state): return self.rnn(x, state)
def cut(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(cut(one) for one in state)
def data(cfg):
    return torch.ones(3, 1, cfg.size)
def train(net: Net):
    cfg = net.cfg
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    state = net.zeros()
    whole = data(cfg)
    for at in range(3):
        x = whole[at:at + 1]
"""
STEP = """
        opt.zero_grad()
        out, state = net(x, state)
        loss = out.sum()
        loss.backward()
        opt.step()
"""


def test_a_state_without_its_history_is_carried(facts: KnowledgeBase) -> None:
    code = facts.port(f"{WHOLE}        state = cut(state){STEP}").code or ""
    assert "state = cut(state)\n        (loss, state), grads = grad_fn(state, x)" in code
    assert "    def forward_fn(state, x):\n        out, state = net(x, state)\n" in code


@pytest.mark.parametrize("cutting", ["state = net.cut(state)", "state = list(state)", "pass"])
def test_a_state_with_its_history_is_not(cutting: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"{WHOLE}        {cutting}{STEP}")
    assert any("the training step stays" in refusal.reason.en for refusal in done.refusals)


def test_a_module_that_is_given_itself_again_stays_ahead(facts: KnowledgeBase) -> None:
    step = STEP.replace(
        "out, state = net(x, state)", "net = net.train()\n        out = net(x, None)[0]"
    )
    code = facts.port(f"{WHOLE}{step}").code or ""
    assert "        net = net.set_train()\n        loss, grads = grad_fn(" in code


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
