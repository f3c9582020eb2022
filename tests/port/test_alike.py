"""A function called with several kinds of modules is ported for all of them, or for none."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """import torch
from torch import nn


class A(nn.Module):
    def forward(self, x):
        return x


class B(nn.Module):
    def forward(self, x):
        return x * 2


class Loud(nn.Module):
    def train(self, mode=True):
        print("no")


class Loop:
    def eval(self):
        return self


def f(model):
    model.eval()


"""


@pytest.mark.parametrize("calls", ["f(A())\nf(B())", "f(A())\nf(nn.ReLU())\nf(B())"])
def test_modules_of_several_kinds(calls: str, facts: KnowledgeBase) -> None:
    assert "    model.set_train(mode=False)\n" in (facts.port(HEAD + calls).code or "")


@pytest.mark.parametrize("calls", ["f(A())\nf(Loud())", "f(A())\nf(Loop())", "f(A())\nf(thing)"])
def test_one_that_does_it_in_its_own_way(calls: str, facts: KnowledgeBase) -> None:
    assert "    model.eval()\n" in (facts.port(HEAD + calls).code or "")
