"""Padding that may be negative: what is written is right in every call, or the file tells."""

from __future__ import annotations

import pytest

from msmap.port.arguments import argument, sign
from msmap.query.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("text", "shows"),
    [
        ("1", "nonnegative"),
        ("(1, 0)", "nonnegative"),
        ("[2 - 1, 0]", "nonnegative"),
        ("-1", "negative"),
        ("(n, -1)", "negative"),
        ("(0, 1 - 2)", "negative"),
        ("n", "any_sign"),
        ("(n, 1)", "any_sign"),
        ("(*n, 1)", "any_sign"),
    ],
)
def test_the_sign_that_code_shows(text: str, shows: str) -> None:
    assert sign(argument(text)) == shows


def last(line: str, facts: KnowledgeBase) -> tuple[str, list[str]]:
    """The last line of a port, and the kinds of what the file says."""
    head = "import torch\nx = torch.ones(1, 2, 3, 4)\n"
    done = facts.port(f"{head}{line}\n")
    assert done.code is not None
    return done.code.splitlines()[-1], [refusal.kind for refusal in done.refusals]


CROPPED = "(lambda x: mindspore.ops.pad(x, mindspore.Tensor({}), value={}))"


@pytest.mark.parametrize(
    ("line", "becomes", "told"),
    [
        ("y = torch.nn.functional.pad(x, (1, 0))", "y = mindspore.ops.pad(x, (1, 0))", []),
        (
            "y = torch.nn.functional.pad(x, (-1, 0))",
            "y = mindspore.ops.pad(x, mindspore.Tensor((-1, 0)))",
            [],
        ),
        (
            "y = torch.nn.functional.pad(x, [n, 4 - n], value=2.5)",
            "y = mindspore.ops.pad(x, mindspore.Tensor([n, 4 - n]), value=2.5)",
            [],
        ),
        ("y = torch.nn.ZeroPad2d(1)", "y = mindspore.nn.ZeroPad2d(1)", []),
        ("y = torch.nn.ZeroPad2d(-1)", f"y = {CROPPED.format('(-1,) * 4', 0)}", []),
        (
            "y = torch.nn.ConstantPad1d((-1, n), 2.0)",
            f"y = {CROPPED.format('(-1, n)', 2.0)}",
            [],
        ),
        ("y = torch.nn.ZeroPad2d(n)", "y = mindspore.nn.ZeroPad2d(n)", ["differs"]),
        (
            "y = torch.nn.Sequential(torch.nn.ZeroPad2d((-1, 0, 0, 0)))",
            "y = mindspore.nn.SequentialCell(torch.nn.ZeroPad2d((-1, 0, 0, 0)))",
            ["value"],
        ),
    ],
)
def test_what_may_be_negative(
    line: str, becomes: str, told: list[str], facts: KnowledgeBase
) -> None:
    assert last(line, facts) == (becomes, told)
