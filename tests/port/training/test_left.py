"""Training steps that aren't proved to be one: they stay, and say why."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders.loops import loop, ported

from msmap.infer.modules import Modules
from msmap.port import project
from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("code", "why"),
    [
        pytest.param(
            """
            for i, (x, y) in enumerate(loader):
                loss = criterion(net(x), y) / 4
                loss.backward()
                if i % 4 == 3:
                    optimizer.step()
                    optimizer.zero_grad()
            """,
            "gradients of earlier calls may be added to. If there are none, write"
            " optimizer.zero_grad() before the loop, and port again",
            id="added-to-what-earlier-calls-left",
        ),
        pytest.param(
            """
            for x, y in loader:
                loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
            """,
            "no zero_grad() stands beside it: gradients may accumulate",
            id="never-cleared",
        ),
        pytest.param(
            """
            for x, y in loader:
                loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
                if loss.item() > 3:
                    continue
                optimizer.zero_grad()
            """,
            "gradients of earlier calls may be added to. If there are none, write"
            " optimizer.zero_grad() before the loop, and port again",
            id="not-always-cleared",
        ),
        pytest.param(
            """
            weight = net.weight
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y) + 0.1 * weight.abs().sum()
                loss.backward()
                optimizer.step()
            """,
            "nothing proves that `weight` doesn't depend on parameters",
            id="a-parameter-by-another-name",
        ),
        pytest.param(
            """
            total = torch.zeros(3)
            for x, y in loader:
                optimizer.zero_grad()
                total += net(x)
                loss = criterion(net(x), y) + total.sum()
                loss.backward()
                optimizer.step()
            """,
            "`total` is carried from one step to the next",
            id="summed-over-steps",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                if limit:
                    torch.nn.utils.clip_grad_norm_(net.parameters(), limit)
                    print(x)
                optimizer.step()
            """,
            "more than clipping stands between backward() and step()",
            id="more-than-clipping-on-a-condition",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                if any(p.isnan().any() for p in net.parameters()):
                    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
                optimizer.step()
            """,
            "parameters are used between backward() and step()",
            id="clipped-if-parameters-say-so",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward(retain_graph=True)
                optimizer.step()
            """,
            "backward() has arguments or a result",
            id="kept-graph",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                for p in net.parameters():
                    p.grad.clamp_(-1, 1)
                optimizer.step()
            """,
            "`.grad` is used",
            id="gradients-changed",
        ),
        pytest.param(
            """
            def train(net, loader, sgd):
                for x, y in loader:
                    sgd.zero_grad()
                    loss = torch.nn.functional.mse_loss(net(x), y)
                    loss.backward()
                    sgd.step()
            """,
            "nothing proves that `sgd` is an optimizer: annotate the parameter by which it comes,"
            " optimizer: torch.optim.Optimizer, and port again",
            id="no-optimizer-for-all-that-is-proved",
        ),
        pytest.param(
            """
            scaler = torch.amp.GradScaler()
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                scaler.scale(loss).backward()
                scaler.step(optimizer)
            """,
            "no update() of the GradScaler follows in the same block",
            id="scaled-without-an-update",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                out, hidden = net(x, hidden)
                loss = criterion(out, y)
                loss.backward()
                optimizer.step()
            """,
            "`hidden` is carried from one step to the next",
            id="hidden-state",
        ),
        pytest.param(
            """
            features = net(torch.ones(3))
            for y in loader:
                optimizer.zero_grad()
                loss = criterion(net(features), y)
                loss.backward()
                optimizer.step()
            """,
            "nothing proves that `features` doesn't depend on parameters",
            id="computed-elsewhere",
        ),
        pytest.param(
            """
            best = net(torch.ones(3, 4)).max(1).values
            for y in loader:
                optimizer.zero_grad()
                loss = criterion(net(best), y)
                loss.backward()
                optimizer.step()
            """,
            "nothing proves that `best` doesn't depend on parameters",
            id="a-part-of-what-was-computed-elsewhere",
        ),
        pytest.param(
            """
            second = torch.optim.SGD(criterion.parameters(), lr=0.2)
            for x, y in loader:
                out = net(x)
                second.zero_grad()
                other = criterion(net(out.detach()), y)
                other.backward()
                second.step()
                optimizer.zero_grad()
                loss = criterion(net(out), y)
                loss.backward()
                optimizer.step()
            """,
            "nothing proves that `out` doesn't depend on parameters",
            id="a-graph-for-two-losses",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                with torch.profiler.profile():
                    loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
            """,
            "the loss is not computed in one straight line",
            id="in-a-context",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(x, y)
                loss = loss.mean()
                loss.backward()
                optimizer.step()
            """,
            "nothing proves that the model is applied here",
            id="only-a-loss",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                if len(x):
                    loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
            """,
            "`loss` is carried from one step to the next",
            id="under-a-condition",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = 0
                for row in x:
                    if row.sum() > 3:
                        break
                    loss = loss + criterion(net(row), y)
                loss.backward()
                optimizer.step()
            """,
            "the loss is not computed in one straight line",
            id="with-a-jump",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad()
                loss = 0
                for row in x:
                    out = net(row)
                    loss = loss + criterion(out, y)
                loss.backward()
                optimizer.step()
                print(out)
            """,
            "the loss is not computed in one straight line",
            id="what-a-loop-may-not-have-set",
        ),
        pytest.param(
            """
            for x, y in loader:
                optimizer.zero_grad(); loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
            """,
            "several statements stand in a line",
            id="two-in-a-line",
        ),
        pytest.param(
            """
            second = torch.optim.SGD(criterion.parameters(), lr=0.2)
            for x, y in loader:
                optimizer.zero_grad()
                loss = criterion(net(x), y)
                loss.backward()
                optimizer.step()
                second.step()
            """,
            "an optimizer steps elsewhere too",
            id="two-optimizers",
        ),
    ],
)
def test_what_is_not_proved_stays_and_says_why(
    anywhere: KnowledgeBase, code: str, why: str
) -> None:
    done = ported(anywhere, code)
    stays = [
        r.reason.en.partition(". Write forward")[0] for r in done.refusals if "stays" in r.reason.en
    ]
    assert set(stays) == {f"the training step stays: {why}"}
    assert all(r.reason.en.endswith("; msmap guide custom-training-steps") for r in done.refusals
               if "stays" in r.reason.en)  # fmt: skip
    assert "value_and_grad" not in str(done.code)


def test_what_to_write_has_the_codes_own_names(anywhere: KnowledgeBase) -> None:
    done = anywhere.port(
        "import torch\nfrom torch import nn\n\n\n"
        "def fit(net: nn.Module, batches, sgd: torch.optim.SGD):\n"
        "    for step, (image, label) in enumerate(batches):\n"
        "        error = nn.functional.cross_entropy(net(image), label)\n"
        "        error.backward()\n"
        "        sgd.step()\n"
    )
    [told] = [r.reason.en for r in done.refusals if "stays" in r.reason.en]
    assert told.partition(". Write ")[2] == (
        "forward pass and loss as forward_fn, grad_fn = mindspore.value_and_grad(forward_fn, None,"
        " sgd.parameters), then loss, grads = grad_fn(image, label) and sgd(grads); msmap guide"
        " custom-training-steps"
    )


def test_a_loss_that_is_called_grads_is_none(anywhere: KnowledgeBase) -> None:
    done = ported(
        anywhere,
        """
        for x, y in loader:
            grads = criterion(net(x), y)
            grads.backward(retain_graph=True)
            optimizer.step()
        """,
    )
    assert "optimizer.step()" in loop(done)
    assert "optimizer(" not in loop(done)


def test_without_the_step_nothing_is_clipped(anywhere: KnowledgeBase) -> None:
    done = ported(anywhere, "torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n")
    assert loop(done) == "torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)\n"
    [refusal] = done.refusals
    assert (refusal.kind, refusal.reason.en.partition(": ")[2]) == (
        "argument",
        "it clips gradients, which are results of a function: write grads ="
        " mindspore.ops.clip_by_norm(grads, 1.0) behind its call; msmap guide"
        " custom-training-steps",
    )


OWN = """\
import torch
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, g):
        return g * 2
"""
TRAINING = """\
import torch
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    optimizer.zero_grad()
    loss = double(net(x)).sum()
    loss.backward()
    optimizer.step()
"""
STAYS = "gradients go through `Double`, which stays"


def test_steps_stay_where_gradients_go_through_what_stays(facts: KnowledgeBase) -> None:
    done = facts.port(f"{OWN}double = Double.apply\n{TRAINING}")
    assert any(STAYS in refusal.reason.en for refusal in done.refusals)
    assert "    loss.backward()\n" in (done.code or "")
    plain = TRAINING.replace("double(net(x))", "net(x)")
    assert "value_and_grad(" in (facts.port(plain).code or "")


def test_steps_stay_where_such_a_function_is_imported(facts: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text(f"{OWN}def double(x):\n    return Double.apply(x)\n")
    path = tmp_path / "train.py"
    path.write_text(f"from ops import double\n{TRAINING}")
    done = project.port(path, Modules([tmp_path / "ops.py", path], facts))
    assert isinstance(done, project.Done)
    assert STAYS in done.text
