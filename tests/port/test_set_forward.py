"""What a module computes is set by hand: MindSpore calls it construct."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

OWN = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, fast):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        if fast:
            self.forward = self.quick

    def quick(self, x):
        return self.fc(x)

    def forward(self, x):
        return self.fc(self.fc(x))


def change(x):
    return x * 2


net = Net(True)
"""


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("net.forward = change", "net.construct = change"),
        ("Net.forward = change", "Net.construct = change"),
        ("net.fc.forward = change", "net.fc.construct = change"),
        ("old = net.forward\nnet.forward = old", "net.construct = old"),
        ("def f(m: nn.Module):\n    m.forward = change", "m.construct = change"),
        ("lin = nn.Linear(2, 2)\nlin.forward = change", "lin.construct = change"),
        ("for m in net.modules():\n    m.forward = change", "m.construct = change"),
    ],
)
def test_it_is_set_under_mindspores_name(code: str, becomes: str, facts: KnowledgeBase) -> None:
    done = facts.port(OWN + dedent(code) + "\n")
    assert done.refusals == ()
    assert (done.code or "").splitlines()[-1].strip() == becomes
    assert "            self.construct = self.quick\n" in (done.code or "")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("def f(m):\n    m.forward = change", "possible"),
        ("def f(m):\n    m.inner.forward = change", "possible"),
        ('setattr(net, "forward", change)', "value"),
        ('setattr(Net, "forward", change)', "value"),
        ('def f(m):\n    setattr(m, "forward", change)', "possible"),
        ('object.__setattr__(net, "forward", change)', "value"),
        ('net.__setattr__("forward", change)', "value"),
        ('net.__dict__["forward"] = change', "value"),
        ('vars(net)["forward"] = change', "value"),
        ('def f(m):\n    object.__setattr__(m, "forward", change)', "possible"),
    ],
)
def test_what_may_be_a_module_is_told(code: str, kind: str, facts: KnowledgeBase) -> None:
    done = facts.port(OWN + code + "\n")
    assert [refusal.kind for refusal in done.refusals] == [kind]
    assert code.splitlines()[-1] in (done.code or "")


@pytest.mark.parametrize(
    "code",
    [
        "class Form:\n    pass\n\n\nform = Form()\nform.forward = change",
        "import numpy as np\nnp.zeros(2).forward = change",
        'setattr(net, "backward", change)',
        'object.__setattr__(net, "name", change)',
        'config = {}\nconfig["forward"] = change',
    ],
)
def test_others_stay(code: str, facts: KnowledgeBase) -> None:
    done = facts.port(OWN + code + "\n")
    assert done.refusals == ()
    assert (done.code or "").splitlines()[-1] == code.splitlines()[-1]
