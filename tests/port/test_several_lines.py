"""Expressions in parentheses that span several lines: their parentheses are none of their text."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders.wrapped import wrapped

from msmap.query.knowledge_base import KnowledgeBase

HERE = Path(__file__).parent
PROGRAMS = sorted(
    [
        *(HERE / "models").glob("*.py"),
        *(HERE / "mixed").glob("*.py"),
        *(HERE / "others").glob("*.py"),
    ]
)
HEAD = """
import torch
from torch import nn
import torch.nn.functional as F
"""


def ported(facts: KnowledgeBase, code: str) -> str:
    """What becomes of some lines behind the imports, without these."""
    done = facts.port(HEAD + dedent(code)).code
    assert done is not None
    ast.parse(done)
    return "\n".join(line for line in done.strip().splitlines() if "import" not in line)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_program_over_several_lines_is_ported_as_on_one(facts: KnowledgeBase, path: Path) -> None:
    code = path.read_text(encoding="utf-8")
    expected = facts.port(code).code
    got = facts.port(wrapped(code, path.stem)).code
    assert expected is not None
    assert got is not None
    assert ast.unparse(ast.parse(got)) == ast.unparse(ast.parse(expected))


STEP = """
model = nn.Linear(3, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.ones(4, 3), torch.ones(4, 2)
for _ in range(3):
    opt.zero_grad()
    fit = F.mse_loss(model(x), y)
"""


@pytest.mark.parametrize(
    ("loss", "expected"),
    [
        ("(fit +\n     1).backward()", "(fit +\n     1)"),
        ("(\n        # both\n        fit\n        + 1\n    ).backward()", "(fit\n        + 1)"),
        ("(fit  # one\n     + 1  # two\n     ).backward()", "(fit  # one\n     + 1)"),
        ("((fit\n      + 1)\n     / 3).backward()", "((fit\n      + 1)\n     / 3)"),
        ("(fit if True\n     else fit + 1).backward()", "(fit if True\n     else fit + 1)"),
        ("(fit\n     .abs()).backward()", "(fit\n     .abs())"),
        ("(fit + \\\n     1).backward()", "fit + \\\n     1"),
        ("fit.mul(\n        2\n    ).backward()", "fit.mul(\n        2\n    )"),
    ],
    ids=["sum", "comment", "comments", "nested", "choice", "method", "backslash", "call"],
)
def test_a_loss_over_several_lines(facts: KnowledgeBase, loss: str, expected: str) -> None:
    done = ported(facts, STEP + f"    {loss}\n    opt.step()\n")
    assert done.partition("def forward_fn():\n")[2] == (
        f"    fit = ops.mse_loss(model(x), y)\n    return {expected}\n\n"
        "grad_fn = mindspore.value_and_grad(forward_fn, None, opt.parameters)\n\n"
        "for _ in range(3):\n    loss, grads = grad_fn()\n    opt(grads)"
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            "x = torch.ones(3, 2)\n(  # the first\n    x[0].fill_(3)\n)",
            "x = mint.ones((3, 2))\n# the first\nx[0] = ops.full_like(x[0], 3)",
        ),
        (
            "def f(x):\n    with (  # none\n        torch.no_grad()\n    ): # it\n        return x",
            "def f(x):\n    # none\n    # it\n    return x",
        ),
        (
            "def f(x):\n    with (\n        torch.no_grad()\n    ): y = x + 1\n    return y",
            "def f(x):\n    y = x + 1\n    return y",
        ),
        (
            "@(  # none\n    torch.no_grad()\n)\ndef f(x):\n    return x + 1",
            "# none\ndef f(x):\n    return x + 1",
        ),
        (
            "def f(a, b):\n    return (\n        a.view  # flat\n    )(-1) + b",
            "def f(a, b):\n    return (\n        a.view  # flat\n    )(-1) + b",
        ),
        (
            "p = nn.Parameter(torch.ones(2))\n(p.data\n .mul_(2)\n .add_(1))",
            "p = mindspore.Parameter(mint.ones((2,)))\n"
            "(p.data\n .copy_(p.data.copy() * 2))\n(p.data\n .copy_(p.data + 1))",
        ),
    ],
    ids=["statement", "block", "block in a line", "decorator", "function", "chain"],
)
def test_what_stands_in_parentheses_loses_or_keeps_them_whole(
    facts: KnowledgeBase, code: str, expected: str
) -> None:
    assert ported(facts, code) == expected
