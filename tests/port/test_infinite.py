"""Losses of what may hold -inf: nan in MindSpore, unless what they take is kept above it."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """
import math
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
NEVER = -float("inf")
crit = nn.CrossEntropyLoss(reduction="sum")
def masked(x: torch.Tensor) -> torch.Tensor:
    return x.masked_fill(x > 3, NEVER)
def loss_of(logits: torch.Tensor, y: torch.Tensor):
    return F.cross_entropy(logits, y)
"""
KEPT = ", min=-1e30)"


def port(code: str, facts: KnowledgeBase) -> str:
    body = indent(dedent(code), "    ")
    return (
        facts.port(
            f"{HEAD}\ndef f(x: torch.Tensor, y: torch.Tensor, m: torch.Tensor):\n{body}"
        ).code
        or ""
    )


@pytest.mark.parametrize(
    "code",
    [
        "x.fill_diagonal_(float('-inf'))\nF.cross_entropy(x, y)\n",
        "x[m] = float('-inf')\nF.cross_entropy(x, y)\n",
        "x[m] = -math.inf\nF.cross_entropy(x[:, :2] / 0.5, y)\n",
        "F.cross_entropy(x.masked_fill(m, -np.inf), y)\n",
        "F.cross_entropy(x.masked_fill(m, torch.finfo(x.dtype).min), y)\n",
        "F.cross_entropy(x.masked_fill(m, -3.4e38), y)\n",
        "F.cross_entropy(masked(x), y)\n",
        "loss_of(masked(x), y)\n",
        "F.cross_entropy(torch.where(m, x, NEVER), y)\n",
        "F.cross_entropy(x + torch.full((3, 3), float('-inf')).triu(1), y)\n",
        "F.nll_loss(F.log_softmax(masked(x), -1), y)\n",
        "F.cross_entropy(input=masked(x), target=y)\n",
        "for _ in range(3):\n    loss = F.cross_entropy(x, y)\n    x.masked_fill_(m, NEVER)\n",
        "if m.any():\n    x = masked(x)\nF.cross_entropy(x, y)\n",
        "crit(masked(x), y)\n",
        "nn.NLLLoss()(masked(x).log_softmax(-1), y)\n",
    ],
)
def test_what_a_loss_takes_is_kept_above_it(code: str, facts: KnowledgeBase) -> None:
    assert port(code, facts).count(KEPT) == 1


@pytest.mark.parametrize(
    "code",
    [
        "F.cross_entropy(x, y)\n",
        "F.cross_entropy(masked(x).softmax(-1) @ x, y)\n",
        "F.cross_entropy(x.masked_fill(m, -1e9), y)\n",
        "F.cross_entropy(x, y)\nx[m] = float('-inf')\n",
        "x[m] = float('-inf')\nx = x.clamp(min=-100)\nF.cross_entropy(x, y)\n",
        "crit(x, y)\n",
        "F.mse_loss(masked(x), y)\n",
    ],
)
def test_what_holds_none_stays(code: str, facts: KnowledgeBase) -> None:
    assert KEPT not in port(code, facts)


@pytest.mark.parametrize(
    "begins",
    ["x = x.half()\n", "x = x.to(torch.float16)\n", "with torch.autocast('cuda'):\n    pass\n"],
)
def test_where_numbers_may_be_half_the_loss_is_taken_in_float32(
    begins: str, facts: KnowledgeBase
) -> None:
    last = port(f"{begins}return F.cross_entropy(masked(x), y)\n", facts).splitlines()[-1]
    wider = "ops.cast(masked(x), mindspore.float32)"
    assert last == f"    return ops.cross_entropy(ops.clamp({wider}, min=-1e30), y)"


def test_a_second_run_changes_nothing(facts: KnowledgeBase) -> None:
    once = port("F.cross_entropy(masked(x), y)\n", facts)
    assert facts.port(once).code == once


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("F.softmax(x.masked_fill(m, NEVER), -1)", True),
        ("torch.softmax(masked(x), dim=-1)", True),
        ("x.masked_fill(m, NEVER).softmax(-1)", True),
        ("F.softmax(x, -1)", False),
        ("x.masked_fill(m, -6e4).softmax(-1)", False),
        ("masked(x).sigmoid().softmax(-1)", False),
    ],
)
def test_softmax_of_what_may_hold_it_is_told(call: str, told: bool, facts: KnowledgeBase) -> None:
    """One row of it spoils the rows after it: the call stays as it is, and a note says so."""
    code = f"{HEAD}\ndef f(x: torch.Tensor, m: torch.Tensor):\n    return {call}\n"
    done = facts.port(code)
    assert KEPT not in (done.code or "")
    assert any("row of -inf alone" in note.en for note in done.notes) == told


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("soft(masked(x))", True),
        ("nn.Softmax(-1)(masked(x))", True),
        ("soft(x)", False),
        ("nn.Softmax(-1)(x.masked_fill(m, -6e4))", False),
    ],
)
def test_a_softmax_layer_given_such_is_told_too(
    call: str, told: bool, facts: KnowledgeBase
) -> None:
    head = f"{HEAD}\nsoft = nn.Softmax(dim=-1)\n"
    code = f"{head}def f(x: torch.Tensor, m: torch.Tensor):\n    return {call}\n"
    done = facts.port(code)
    assert any("row of -inf alone" in note.en for note in done.notes) == told
