"""Changes in place behind one another: each is written, and all reach the tensor."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = """import torch
def f(p: torch.Tensor, q: torch.Tensor, d):
"""


def port(code: str, facts: KnowledgeBase) -> tuple[str, list[str]]:
    done = facts.port(f"{HEAD}    {code}\n")
    text = "\n".join(line[4:] for line in (done.code or "").splitlines()[2:])
    return text, [refusal.kind for refusal in done.refusals]


@pytest.mark.parametrize(
    ("code", "becomes"),
    [
        ("p.mul_(d).add_(q, alpha=1 - d)", "p.copy_(p.copy() * d)\np.copy_(p + (1 - d) * q)"),
        (
            "p.data.mul_(d).add_(q.data)",
            "p.data.copy_(p.data.copy() * d)\np.data.copy_(p.data + q.data)",
        ),
        ("if d: p.mul_(d).add_(q)", "if d: p.copy_(p.copy() * d); p.copy_(p + q)"),
        (
            "p.mul_(d).add_(q).mul_(q)",
            "p.copy_(p.copy() * d)\np.copy_(p + q)\np.copy_(p.copy() * q)",
        ),
        ("p.mul_(\n        d).add_(q)", "p.copy_(p.copy() *\n    d)\np.copy_(p + q)"),
        ("(p.mul_(d)\n        .add_(q))", "p.copy_(p.copy() * d)\np.copy_(p + q)"),
    ],
)
def test_each_is_a_line(code: str, becomes: str, facts: KnowledgeBase) -> None:
    assert port(code, facts) == (becomes, [])


@pytest.mark.parametrize(
    "code",
    [
        "r = p.mul_(d).add_(q)",
        "return p.mul_(d).add_(q)",
        "p[0].mul_(d).add_(q)",
        "p.t().mul_(d).add_(q)",
        "p.mul_(d).view(-1).add_(q)",
        "p.mul_(d  # by so much\n        ).add_(q)",
    ],
)
def test_what_is_used_or_is_a_part_stays_and_is_told(code: str, facts: KnowledgeBase) -> None:
    text, refused = port(code, facts)
    assert ".add_(q)" in text
    assert refused


def test_in_a_with_that_goes_they_stand_where_it_stood(facts: KnowledgeBase) -> None:
    done = facts.port(
        "import torch\ndef f(c: torch.Tensor, d):\n    with torch.no_grad():\n"
        "        c.mul_(d).add_(d)\n    return c\n"
    )
    assert done.code is not None
    compile(done.code, "port", "exec")
    assert done.code.splitlines()[-3:] == [
        "    c.copy_(c.copy() * d)",
        "    c.copy_(c + d)",
        "    return c",
    ]
