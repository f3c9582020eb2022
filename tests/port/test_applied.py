"""Functions that modules call with each of their layers: what they get is known."""

from __future__ import annotations

from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """
import torch
from torch import nn


class Own(nn.Module):
    def forward(self, x):
        return torch.abs(x)


class Applying(nn.Module):
    def apply(self, fn):
        return fn(3)


def f(m):
    m.eval()


"""


@pytest.mark.parametrize(
    "use",
    [
        "nn.Linear(2, 3).apply(f)",
        "net = nn.Sequential(nn.Linear(2, 3))\nnet.apply(f)",
        "net = Own()\nnet.apply(f)",
        "net = Own()\nnet.apply(f)\nf(net)",
        "for net in (Own(), nn.ReLU()): net.apply(f)",
    ],
)
def test_what_they_get_is_a_module(use: str, anywhere: KnowledgeBase) -> None:
    done = anywhere.port(f"{HEAD.lstrip()}{use}\n")
    assert "    m.set_train(mode=False)\n" in (done.code or "")
    assert done.refusals == ()


@pytest.mark.parametrize(
    "use",
    [
        "Applying().apply(f)",
        "net = Own()\nnet.apply(f)\nf(3)",
        "net = Own()\nnet.apply(f)\nother(f)",
        "net = load()\nnet.apply(f)",
        "net = Own()\nnet.apply(fn=f)",
    ],
)
def test_others_may_call_them_with_anything(use: str, anywhere: KnowledgeBase) -> None:
    done = anywhere.port(f"{HEAD.lstrip()}{dedent(use)}\n")
    assert "    m.eval()\n" in (done.code or "")
