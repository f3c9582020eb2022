"""What lists and dicts of layers give is known as far as all that they hold is."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.port.rewrite import rewrite
from msmap.query.knowledge_base import KnowledgeBase

HEAD = """import torch
from torch import nn
class Own(nn.Module):
    def forward(self, x):
        return x.keys(), torch.abs(x)
"""
NET = """class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.held = {}
        {}
    def forward(self, x):
        {}
        return y.masked_fill(mask, 0.0)
"""
# What is held, what is done with it where it is made, and how ``y`` comes from it.
KNOWN = {
    "a list": (
        "nn.ModuleList([nn.Linear(3, 3), nn.ReLU()])", "pass", "for m in self.held: y = m(x)",
    ),
    "a comprehension": (
        "nn.ModuleList(nn.Linear(3, n) for n in (3, 4))", "pass", "y = self.held[0](x)",
    ),
    "an empty list that is filled": (
        "nn.ModuleList()",
        "for n in range(3): self.held.append(nn.Linear(3, 3))",
        "for i, m in enumerate(self.held): y = m(x)",
    ),
    "a list that another is put behind": (
        "nn.ModuleList([nn.Linear(3, 3)])",
        "self.held.extend([nn.ReLU(), nn.Tanh()])",
        "for m in self.held[1:]: y = m(x)",
    ),
    "a dict": (
        'nn.ModuleDict({"a": nn.Linear(3, 3)})', "pass", "for k, m in self.held.items(): y = m(x)",
    ),
    "an empty dict that is filled": (
        "nn.ModuleDict()",
        'for k in "ab": self.held[k] = nn.Linear(3, 3)',
        "for m in self.held.values(): y = m(x)",
    ),
    "a dict, asked by a key": (
        'nn.ModuleDict({"a": nn.Linear(3, 3)})', "pass", 'y = self.held["a"](x)',
    ),
    "a part of what own layers give": (
        "nn.ModuleList([Own()])", "pass", "for m in self.held: k, y = m(x)",
    ),
    "a part of what layers of PyTorch's give": (
        "nn.ModuleList([nn.LSTM(3, 3)])", "pass", "for m in self.held: y, _ = m(x)",
    ),
    "pairs": (
        "nn.ModuleList([nn.Linear(3, 3)])", "pass", "for m, n in zip(self.held, (1, 2)): y = m(x)",
    ),
}  # fmt: skip
UNKNOWN = {
    "several kinds": (
        "nn.ModuleList([nn.Linear(3, 3), nn.LSTM(3, 3)])", "pass", "for m in self.held: y = m(x)",
    ),
    "another is added": (
        "nn.ModuleList([nn.Linear(3, 3)])",
        "self.held.append(Own())",
        "for m in self.held: y = m(x)",
    ),
    "one of which nothing is known is added": (
        "nn.ModuleList([nn.Linear(3, 3)])",
        "self.held.insert(0, made())",
        "for m in self.held: y = m(x)",
    ),
    "some are added of which nothing is known": (
        "nn.ModuleDict()", "self.held.update(made())", "for m in self.held.values(): y = m(x)",
    ),
    "one is set of which nothing is known": (
        "nn.ModuleList([nn.Linear(3, 3)])", "self.held[0] = made()", "y = self.held[0](x)",
    ),
    "a function may add some": (
        "nn.ModuleList([nn.Linear(3, 3)])", "grow(self.held)", "for m in self.held: y = m(x)",
    ),
    "another name may add some": (
        "nn.ModuleList([nn.Linear(3, 3)])",
        "other = self.held; other.append(Own())",
        "for m in self.held: y = m(x)",
    ),
    "nothing is known of what is held": (
        "nn.ModuleList(made())", "pass", "for m in self.held: y = m(x)",
    ),
}  # fmt: skip


def told(case: tuple[str, str, str], kb: KnowledgeBase, after: str = "") -> list[str]:
    made, then, use = case
    code = HEAD + NET.replace("{}", made, 1).replace("{}", then, 1).replace("{}", use, 1)
    done = rewrite(code + dedent(after), kb)
    last = code.count("\n")
    return [one.kind for one in done.refusals if one.line == last]


@pytest.mark.parametrize("name", KNOWN)
def test_what_layers_give_that_are_held_is_proved(name: str, anywhere: KnowledgeBase) -> None:
    assert told(KNOWN[name], anywhere) == []


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_may_be_others_is_not(name: str, anywhere: KnowledgeBase) -> None:
    assert told(UNKNOWN[name], anywhere) == ["possible"]


def test_nor_is_what_others_add_to_an_object(anywhere: KnowledgeBase) -> None:
    after = "net = Net()\nnet.held.append(Own())\n"
    assert told(KNOWN["a list"], anywhere, after) == ["possible"]
