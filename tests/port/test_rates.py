"""Rates in an optimizer's groups: read as numbers, and written where every step looks."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = """\
import torch
net = torch.nn.Linear(2, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
"""
RATE = 'opt.param_groups[0]["lr"]'
# What stands there, and what it becomes.
LINES = {
    "read": (f"x = {RATE} * 2", f"x = float({RATE}) * 2"),
    "read already": (f"x = float({RATE})", f"x = float({RATE})"),
    "formatted": (
        "print(f\"{opt.param_groups[0]['lr']:.3f}\")",
        "print(f\"{float(opt.param_groups[0]['lr']):.3f}\")",
    ),
    "given to PyTorch": (f"x = torch.tensor({RATE})", f"x = mindspore.tensor(float({RATE}))"),
    "set": (f"{RATE} = 0.2", f"mindspore.ops.assign({RATE}, 0.2)"),
    "times a factor": (
        f"{RATE} *= 2 + n",
        f"mindspore.ops.assign({RATE}, float({RATE}) * (2 + n))",
    ),
    "of each group": (
        "for g in opt.param_groups:\n    g['lr'] = (g['lr'] *\n        0.5)  # less\n"
        "    g['x'] = 1",
        "for g in opt.param_groups:\n    mindspore.ops.assign(g['lr'], (float(g['lr']) *\n"
        "        0.5))  # less\n    g['x'] = 1",
    ),
    "with numbers": (
        "for i, g in enumerate(opt.param_groups):\n    g['lr'] = i",
        "for i, g in enumerate(opt.param_groups):\n    mindspore.ops.assign(g['lr'], i)",
    ),
    "in a list": (
        "x = [g['lr'] for g in opt.param_groups]",
        "x = [float(g['lr']) for g in opt.param_groups]",
    ),
    "of a variable": (
        "g = opt.param_groups[0]\ng['lr'] /= 2",
        "g = opt.param_groups[0]\nmindspore.ops.assign(g['lr'], float(g['lr']) / (2))",
    ),
    "in a function": (
        "def f(o, rate):\n    for g in o.param_groups:\n        g['lr'] = rate\nf(opt, 0.1)",
        "def f(o, rate):\n    for g in o.param_groups:\n"
        "        mindspore.ops.assign(g['lr'], rate)\nf(opt, 0.1)",
    ),
}
# Of another's groups, or of what may be one: it stays.
KEPT = (
    "for g in other.param_groups:\n    g['lr'] *= 2",
    "for g in opt.param_groups:\n    g = {}\n    g['lr'] *= 2",
    "for g in opt.param_groups:\n    def f(g):\n        g['lr'] *= 2",
    "g = opt.param_groups[0]\ng = {}\ng['lr'] *= 2",
    "opt.param_groups[0]['momentum'] = 0.5",
    "x = y = opt.param_groups",
)


@pytest.mark.parametrize("name", LINES)
def test_rates_are_numbers(facts: KnowledgeBase, name: str) -> None:
    line, expected = LINES[name]
    done = facts.port(f"{START}{line}\n")
    assert done.refusals == ()
    assert (done.code or "").endswith(f"\n{expected}\n".replace("mindspore.ops.", "ops.")) or (
        done.code or ""
    ).endswith(f"\n{expected}\n")


@pytest.mark.parametrize("line", KEPT)
def test_what_may_be_no_rate_stays(facts: KnowledgeBase, line: str) -> None:
    done = facts.port(f"{START}{line}\n")
    assert (done.code or "").endswith(f"\n{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        "    for g in o.param_groups:\n        g['lr'] = rate",
        "    o.param_groups[0]['lr'] *= rate",
        "    return o.param_groups[0]['lr']",
        "    print(f\"{o.param_groups[0]['lr']:.3f}\")",
    ],
)
def test_groups_of_what_may_be_an_optimizer_are_told(facts: KnowledgeBase, line: str) -> None:
    done = facts.port(f"import torch\ndef f(o, rate):\n{line}\n")
    assert [refusal.kind for refusal in done.refusals] == ["possible"]
    assert "float(group[" in done.refusals[0].reason.en
    assert (done.code or "").endswith(f"\n{line}\n")


def test_groups_whose_rates_nobody_touches_are_not_told(facts: KnowledgeBase) -> None:
    code = "import torch\ndef f(o):\n    return [p for g in o.param_groups for p in g['params']]\n"
    assert facts.port(code).refusals == ()
