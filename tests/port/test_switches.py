"""Switches of PyTorch's backends: those that code sets become a call, or go."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("body", "becomes"),
    [
        ("cudnn.deterministic = True", "mindspore.set_deterministic(True)"),
        ("torch.backends.cudnn.deterministic = False", "mindspore.set_deterministic(False)"),
        ("torch.backends.cudnn.benchmark = True  # faster", "pass  # faster"),
        ("torch.backends.cudnn.enabled = False\n    seed = 1", "seed = 1"),
        ("cudnn.benchmark = True", "pass"),
    ],
)
def test_a_switch_that_is_set_becomes_a_call_or_goes(
    body: str, becomes: str, facts: KnowledgeBase
) -> None:
    head = "import torch\nimport torch.backends.cudnn as cudnn\n"
    done = facts.port(f"{head}def f():\n    {body}\n")
    assert (done.code or "").partition("def f():\n")[2] == f"    {becomes}\n"
    assert done.refusals == ()
    assert facts.port(str(done.code)).code == done.code


@pytest.mark.parametrize(
    "code",
    [
        "torch.backends.cudnn.deterministic = a = True",
        "torch.backends.cudnn.deterministic = f()",
        "print(torch.backends.cudnn.deterministic)",
        "torch.backends.cudnn.benchmark = args.fast",
    ],
)
def test_else_it_stays_and_is_told(code: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"import torch\n{code}\n")
    assert done.code == f"import torch\n{code}\n"
    assert [(r.kind, " has no counterpart: " in r.reason.en) for r in done.refusals] == [
        ("missing", True)
    ]
