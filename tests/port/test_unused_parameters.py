"""Parameters that a loss doesn't use: PyTorch's optimizers skip them, gradients of 0 move them."""

from __future__ import annotations

import textwrap

import pytest

from msmap.query.knowledge_base import KnowledgeBase

NOT_ALL = "the loss doesn't use all parameters of `opt`"
SOME = "some parameters are used in some steps only"
UNPROVED = "nothing proves that the loss uses all parameters of `opt`"

LAYERS = "self.a = nn.Linear(3, 3)\nself.b = nn.Linear(3, 3)"
BOTH = "return self.b(self.a(x))"
ONE = "return self.a(x)"
DECAYING = "torch.optim.AdamW(net.parameters(), lr=0.1)"
PLAIN = "torch.optim.SGD(net.parameters(), lr=0.1)"
ADAM = "torch.optim.Adam(net.parameters(), lr=0.1)"

SOURCE = """import torch
from torch import nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.fc = nn.Linear(c, c)

    def forward(self, x):
        return self.fc(x)


class Net(nn.Module):
    def __init__(self, wide=False, extra=None):
        super().__init__()
{layers}

    def partly(self, x):
        return self.a(x)

    def forward(self, x, key="a"):
{forward}


def train(batches, args):
    net = {model}
    opt = {optimizer}
    for x, y in batches:
        loss = F.mse_loss({call}, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def said(facts: KnowledgeBase, layers: str, forward: str, optimizer: str, **others: str) -> str:
    """What stands above the update, and what is printed of it; "" if nothing."""
    given = {"model": "Net()", "call": "net(x)", **others}
    indented = {
        "layers": textwrap.indent(layers, " " * 8),
        "forward": textwrap.indent(forward, " " * 8),
    }
    done = facts.port(SOURCE.format(optimizer=optimizer, **indented, **given))
    printed = [note.en for note in done.notes if "gradients of 0" in note.en]
    reasons = [one.reason.en for one in done.refusals if one.source == "opt.step()"]
    return "".join(printed) + "".join(
        reason.partition(".")[0].partition(" where they")[0] for reason in reasons
    )


@pytest.mark.parametrize(
    ("layers", "forward"),
    [
        (LAYERS, BOTH),
        (LAYERS, "if self.training:\n    x = self.b(x)\nreturn self.a(x)"),
        (LAYERS, "y = self.a(x)\nif len(x) > 2:\n    return self.b(y)\nreturn self.b(y) + 1"),
        (LAYERS, "if x.ndim != 2:\n    raise ValueError(x)\n" + BOTH),
        ("self.layers = nn.ModuleList([Block(3) for _ in range(2)])",
         "for layer in self.layers:\n    x = layer(x)\nreturn x"),
        ("self.layers = nn.ModuleList([Block(3) for _ in range(2)])",
         "for i in range(2):\n    x = self.layers[i](x)\nreturn x"),
        ("self.body = nn.Sequential(Block(3), nn.ReLU())\nself.scale = nn.Parameter(torch.ones(3))",
         "return self.body(x) * self.scale"),
        ("self.sub = Block(3)", "return self.sub.fc(x)"),
        ("self.sub = Block(3)\nself.act = nn.ReLU()", "return self.act(self.sub(x))"),
        ("self.a = nn.Linear(3, 3)\nself.down = nn.Linear(3, 3) if wide else None",
         "y = self.a(x)\nif self.down is not None:\n    x = self.down(x)\nreturn x + y"),
        ("self.wide = wide\nself.a = nn.Linear(3, 3)\nif wide:\n    self.b = nn.Linear(3, 3)",
         "if self.wide:\n    x = self.b(x)\nreturn self.a(x)"),
        ("self.pos = nn.Parameter(torch.zeros(4, 3))", "return x + self.pos[: x.shape[0]]"),
    ],
)  # fmt: skip
def test_of_what_is_always_used_nothing_is_said(
    layers: str, forward: str, facts: KnowledgeBase
) -> None:
    assert said(facts, layers, forward, DECAYING) == ""


@pytest.mark.parametrize(
    ("layers", "forward", "what"),
    [
        (LAYERS, ONE, NOT_ALL),
        ("self.a = Block(3)\nself.p = nn.Parameter(torch.ones(3))", ONE, NOT_ALL),
        ("self.use = wide\n" + LAYERS, "if self.use:\n    x = self.b(x)\n" + ONE, NOT_ALL),
        (LAYERS, "if x.sum() > 0:\n    x = self.b(x)\n" + ONE, SOME),
        (LAYERS, "if len(x) > 2:\n    return self.a(x)\n" + BOTH, SOME),
        (LAYERS, "return self.a(x) if len(x) > 2 else self.b(x)", SOME),
        ("self.heads = nn.ModuleDict({'a': nn.Linear(3, 3), 'b': nn.Linear(3, 3)})",
         "return self.heads[key](x)", SOME),
        ("self.layers = nn.ModuleList([Block(3) for _ in range(2)])",
         "for layer in self.layers:\n    if torch.rand(1) < 0.1:\n        continue\n"
         "    x = layer(x)\nreturn x", SOME),
        ("self.layers = nn.ModuleList([Block(3) for _ in range(2)])",
         "for layer in self.layers:\n    if torch.rand(1) > 0.1:\n        x = layer(x)\nreturn x",
         SOME),
    ],
)  # fmt: skip
def test_parameters_that_decay_moves_are_said(
    layers: str, forward: str, what: str, facts: KnowledgeBase
) -> None:
    assert said(facts, layers, forward, DECAYING) == what


@pytest.mark.parametrize(
    ("forward", "optimizer", "what"),
    [
        # Without a decay, gradients of 0 in all steps move nothing.
        (ONE, ADAM, ""),
        (ONE, PLAIN, ""),
        (ONE, "torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)", ""),
        (ONE, "torch.optim.AdamW(net.parameters(), lr=0.1, weight_decay=0)", ""),
        (ONE, "torch.optim.SGD(net.parameters(), lr=0.1, weight_decay=1e-4)", NOT_ALL),
        (ONE, "torch.optim.SGD(net.parameters(), 0.1, 0.9, 0, 1e-4)", NOT_ALL),
        (ONE, "torch.optim.Adam(net.parameters(), weight_decay=args.decay)", NOT_ALL),
        (ONE, "torch.optim.AdamW([{'params': net.parameters(), 'weight_decay': 0.1}])", NOT_ALL),
        # A state is kept between the steps that use them.
        ("if len(x) > 2:\n    x = self.b(x)\n" + ONE, PLAIN, ""),
        ("if len(x) > 2:\n    x = self.b(x)\n" + ONE, ADAM, SOME),
        ("if len(x) > 2:\n    x = self.b(x)\n" + ONE,
         "torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)", SOME),
    ],
)  # fmt: skip
def test_it_depends_on_the_optimizer(
    forward: str, optimizer: str, what: str, facts: KnowledgeBase
) -> None:
    assert said(facts, LAYERS, forward, optimizer) == what


def test_what_the_step_itself_calls_counts(facts: KnowledgeBase) -> None:
    assert said(facts, LAYERS, BOTH, DECAYING, call="net.partly(x)") == NOT_ALL
    assert said(facts, LAYERS, ONE, DECAYING, call="net(x) + net.b(x)") == ""
    assert said(facts, LAYERS, BOTH, DECAYING, call="net.a(x)") == NOT_ALL


def test_a_model_of_elsewhere_may_leave_parameters_unused(facts: KnowledgeBase) -> None:
    import_it = SOURCE.replace("import torch\n", "import torch\nfrom models import make\n", 1)
    body = {"layers": "        pass", "forward": "        return x", "call": "net(x)"}
    done = facts.port(import_it.format(model="make()", optimizer=DECAYING, **body))
    (reason,) = (one.reason.en for one in done.refusals if one.source == "opt.step()")
    assert reason.startswith(UNPROVED)
