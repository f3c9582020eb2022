"""Methods that change a tensor which was just made: it gets a name to be changed by."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = "import torch\ndef f(x: torch.Tensor, n):\n    return "
PORTED = {
    "x.new_empty(n).bernoulli_(0.3)": (
        "(lambda x_: x_.copy_((mindspore.ops.rand_like(x_, dtype=mindspore.float32) < 0.3)"
        ".astype(x_.dtype)))(x.new_empty(n))"
    ),
    "torch.ones(n).mul_(3)": "(lambda x: x.copy_(x.copy() * 3))(mindspore.mint.ones(n))",
}
LEFT = ("x.view(-1).bernoulli_(0.3)", "x[0].bernoulli_(0.3)", "g().bernoulli_(0.3)")


@pytest.mark.parametrize("code", PORTED)
def test_what_was_just_made_is_changed_by_a_name(facts: KnowledgeBase, code: str) -> None:
    done = facts.port(START + code + "\n")
    assert done.refusals == ()
    found = (done.code or "").splitlines()[-1].strip().removeprefix("return ")
    assert found == PORTED[code]


@pytest.mark.parametrize("code", LEFT)
def test_what_others_have_is_not(facts: KnowledgeBase, code: str) -> None:
    assert [one.source for one in facts.port(START + code + "\n").refusals] == [code]


def test_a_tensor_that_a_method_does_not_give_back_is_not_lost(facts: KnowledgeBase) -> None:
    done = facts.port("import torch\nx = torch.randn(3).requires_grad_()\n")
    assert [one.source for one in done.refusals] == ["torch.randn(3).requires_grad_()"]
    assert done.refusals[0].reason.en.endswith("positions it is given.")


GIVEN = "import torch\nfrom torch import nn\ndef f(x: torch.Tensor, net: nn.Module):\n    "


@pytest.mark.parametrize(
    "code",
    [
        "y = x.requires_grad_(True)",
        "return x.requires_grad_()",
        "print(x.requires_grad_().sum())",
        "ys = [p.requires_grad_(False) for p in net.parameters()]",
    ],
)
def test_what_a_call_does_not_give_is_not_used(facts: KnowledgeBase, code: str) -> None:
    done = facts.port(f"{GIVEN}{code}\n")
    reasons = [one.reason.en for one in done.refusals if "gives None" in one.reason.en]
    assert len(reasons) == 1
    assert ".requires_grad_(" in (done.code or "")


@pytest.mark.parametrize(
    "code",
    [
        "x.requires_grad_(True)",
        "[p.requires_grad_(False) for p in net.parameters()]",
        "for p in net.parameters(): p.requires_grad_(False)",
        "freeze = lambda: x.requires_grad_(False)",
    ],
)
def test_a_call_that_is_only_made_is_ported(facts: KnowledgeBase, code: str) -> None:
    assert facts.port(f"{GIVEN}{code}\n").refusals == ()
