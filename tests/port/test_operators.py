"""Operators on tensors: shifts are written; what is silent of the rest is told where it is seen."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from msmap.port.rewrite import rewrite, rewriter
from msmap.query.knowledge_base import KnowledgeBase


def within(code: str) -> str:
    """Lines in a function of which one parameter is a tensor, another anything."""
    return (
        "import math\nimport numpy as np\nimport torch\n"
        f"def f(x: torch.Tensor, n, y: torch.Tensor):\n{indent(dedent(code), '    ')}\n"
    )


def told(code: str, anywhere: KnowledgeBase) -> list[str]:
    """The caveats of operators that code triggers, in its order, each with the operator."""
    work = rewriter(within(code), anywhere)
    places = sorted(work.bites, key=work.source.span)
    return [
        f"{work.bites[node][0].torch.rpartition('.')[2]} {bite.caveat.id}"
        for node in places
        for bite in work.bites[node][1]
        if work.uses[node].how == "operator" and not bite.mended
    ]


BITS = "__invert__ integers-become-booleans"
LOST = "numpy-number-first-loses-the-gradient"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("i = x.long()\nreturn ~i", [BITS]),
        ("return ~x.argmax(1)", [BITS]),
        ("return ~torch.zeros(3, dtype=torch.int64)", [BITS]),
        ("return ~torch.tensor([[1, -2], [3, 4]])", [BITS]),
        ("return ~torch.arange(3)", [BITS]),
        ("i = x.long() if n else torch.arange(3)\nreturn ~i", [BITS]),
        ("i = x.long() if n else x\nreturn ~i", []),
        ("return ~x", []),
        ("return ~(x > 0)", []),
        ("return ~torch.tensor([True])", []),
        ("return ~torch.arange(3, dtype=torch.bool)", []),
        ("n = ~5\nreturn n", []),
        ("return np.sqrt(n) * x", [f"__rmul__ {LOST}"]),
        ("c = np.float64(2)\nreturn c - x", [f"__rsub__ {LOST}"]),
        ("return np.ones(3).T + x", [f"__radd__ {LOST}"]),
        ("return x * np.sqrt(n)", []),
        ("return np.pi * x", []),
        ("return math.sqrt(2) * x", []),
        ("return np.sqrt(n).item() * x", []),
        ("return x == np.zeros(3)", ["__eq__ array-is-compared-as-an-object"]),
        ("return x == y", []),
        ("return x[0, :, y]", ["__getitem__ number-slice-and-indices-are-transposed"]),
        ("return x[0, :, [1, 2]]", ["__getitem__ number-slice-and-indices-are-transposed"]),
        ("return x[0, :, 1]", []),
        ("return x[:, y]", []),
        ("return x[0, y]", []),
        ("return x[n, :, y]", []),
    ],
)
def test_what_is_silent_is_told_where_it_is_seen(
    code: str, expected: list[str], anywhere: KnowledgeBase
) -> None:
    assert told(code, anywhere) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("return x << 2", "return mindspore.ops.bitwise_left_shift(x, 2)"),
        ("return 1 << x", "return mindspore.ops.bitwise_left_shift(1, x)"),
        ("return x >> n", "return mindspore.ops.bitwise_right_shift(x, n)"),
        (
            "return (x << 2) >> y",
            "return mindspore.ops.bitwise_right_shift(mindspore.ops.bitwise_left_shift(x, 2), y)",
        ),
        ("x <<= 1", "x[()] = mindspore.ops.bitwise_left_shift(x.copy(), 1)"),
        ("return n << x, n << 1", "return n << x, n << 1"),
        ('return f"{x << 1}"', 'return f"{x << 1}"'),
    ],
)
def test_shifts_are_written(code: str, expected: str, anywhere: KnowledgeBase) -> None:
    done = rewrite(within(code), anywhere, imports=False).code or ""
    ported = within(expected).replace("torch.Tensor", "mindspore.Tensor")
    assert done == ported


def test_one_line_of_code_counts_usual_names(anywhere: KnowledgeBase) -> None:
    assert rewrite("x << 2", anywhere).code == "mindspore.ops.bitwise_left_shift(x, 2)"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("for p in {}():\n    p += 1 + n", "p.copy_(p + (1 + n))"),
        ("for i, p in enumerate({}()):\n    p /= 2", "p.copy_(p.copy() / 2)"),
        ("for p, q in zip({0}(), {0}()):\n    q -= n  # less", "q.copy_(q - n)  # less"),
        ("for p in {}():\n    p = p * 2\n    p *= 3", "p = p * 2\n        p *= 3"),
    ],
)  # fmt: skip
def test_a_network_s_own_parameter_is_written_to(
    code: str, expected: str, anywhere: KnowledgeBase
) -> None:
    """Under a name of its own ``p += 1`` makes a plain tensor, and the network stays as it is."""
    code = indent(code.format("m.parameters"), "    ")
    done = rewrite(f"import torch\ndef f(m: torch.nn.Module, n):\n{code}", anywhere)
    assert done.code.endswith(f":\n        {expected}")
