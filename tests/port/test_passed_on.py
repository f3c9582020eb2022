"""What Python's own library gives back is what it was given: no stranger's."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """
import collections
import copy
import itertools
import pickle
import random
from copy import deepcopy
import torch
from torch import nn


def f(net: nn.Module, x: torch.Tensor, path):
"""


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("new = copy.deepcopy(net)\nnew.eval()", "new.set_train(mode=False)"),
        ("new = deepcopy(net)\nnew.eval()", "new.set_train(mode=False)"),
        ("y = copy.copy(x)\ny.size()", "y.shape"),
        ("random.choice([net, net]).eval()", "random.choice([net, net]).set_train(mode=False)"),
        ("for y in random.sample([x, x], 1):\n    y.size()", "y.shape"),
        ("for y in itertools.chain([x], [x]):\n    y.size()", "y.shape"),
        ("for y in itertools.islice(itertools.cycle([x]), 3):\n    y.size()", "y.shape"),
    ],
)
def test_it_is_as_good_as_what_it_was_given(code: str, becomes: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}{indent(dedent(code), '    ')}\n")
    assert ((done.code or "").splitlines()[-1].strip(), done.refusals) == (becomes, ())


@pytest.mark.parametrize(
    "code",
    [
        "held = collections.deque()\nheld.popleft().eval()",
        "held = collections.OrderedDict()\nheld['a'].size()",
        "pickle.load(path).eval()",
        "random.choice(path).size()",
    ],
)
def test_what_may_be_anything_is_told(code: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}{indent(dedent(code), '    ')}\n")
    assert [refusal.kind for refusal in done.refusals] == ["possible"]


@pytest.mark.parametrize("code", ["random.random().size()", "copy.error.eval()"])
def test_all_else_of_it_stays_a_strangers(code: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}{indent(dedent(code), '    ')}\n")
    assert ((done.code or "").splitlines()[-1].strip(), done.refusals) == (code, ())


OWN = """
import torch
from torch import nn
class N(nn.{base}):
    def {name}(self, x):
        return x.size(0)
N().{name}(torch.ones(2))
"""


@pytest.mark.parametrize("name", ["update", "step", "flatten", "add_param_group"])
def test_what_modules_have_not_is_a_method_of_its_own(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(OWN.format(base="Module", name=name))
    assert "return x.shape[0]" in (done.code or "")


@pytest.mark.parametrize(("base", "name"), [("Module", "get_submodule"), ("ModuleList", "append")])
def test_what_modules_have_others_may_call(facts: KnowledgeBase, base: str, name: str) -> None:
    done = facts.port(OWN.format(base=base, name=name))
    assert "return x.size(0)" in (done.code or "")
