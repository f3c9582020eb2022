"""Comments and line breaks of what is replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import marked
from tests.builders.support import function, ported

from msmap.assemble.base import Base
from msmap.port.layout import kept
from msmap.port.rewrite import rewrite


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    return marked.world(tmp_path_factory.mktemp("layout"))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("f(a,\n  b)", "g(a, b)", "g(a,\n  b)"),
        ("f(a,  # one\n  b)", "g(a, b)", "g(a,  # one\n  b)"),
        ("f(\n    a,  # one\n    b=1,\n)", "g(a, c=1)", "g(\n    a,  # one\n    c=1,\n)"),
        ("f(a,  # one\n  d=2,  # two\n  b=1)", "g(a, b=1)", "g(a,  # one\n    # two\n  b=1)"),
        ("f(  # all\n  a\n  # end\n)", "g(a)", "g(  # all\n  a\n  # end\n)"),
        ("a  # one\n  .f(1)  # two\n  .g()", "a.h(1).i()", "a  # one\n  .h(1)  # two\n  .i()"),
        ("a  # one\n  .f(1)", "f(a, 1)", "  # one\n  f(a, 1)"),
        ("f(\n  a,  # one\n)", "a + 1", "(\n  a  # one\n+ 1)"),
        ("f(a, # one\n  b, # two\n  c)", "g(c, b, a)", "g(c, # one\n  b, # two\n  a)"),
        ("f('''a\n  b''',\n  c)", "g('''a\n  b''', c)", "g('''a\n  b''',\n  c)"),
        ("f(a,\r\n  b)", "g(a, b)", "g(a,\r\n  b)"),
        ("f(a,\f\n  b)", "g(a, b)", "g(a,\f\n  b)"),
        ("f(a, b)", "g(a,b)", "g(a,b)"),
    ],
)
def test_what_stands_between_words_stays_with_them(old: str, new: str, expected: str) -> None:
    assert kept(old, new) == expected


@pytest.mark.parametrize(
    "code",
    [
        "\ufeff# -*- coding: utf-8 -*-\nfrom torch import zeros\n«zeros(3)|mindspore.zeros(3)»\n",
        "\n\n\n\f\nfrom torch import zeros\n«zeros(3)|mindspore.zeros(3)»\n\n\n",
        "from torch import zeros\r\n«zeros(3)|mindspore.zeros(3)»\r\n",
        "from torch import zeros\n\f\nx = «zeros(3)|mindspore.zeros(3)»\n\x0c",
        """from torch import zeros
y = (
    «zeros(  # how many
        3,
        # and
        4,  # of them
    )|mindspore.zeros(  # how many
        3,
        # and
        4,  # of them
    )»
    .«sum|t_sum»()  # all
)
y = load(a,  # not PyTorch's
    b)
""",
    ],
    ids=["mark and cookie", "blank lines", "CRLF", "form feeds", "comments"],
)
def test_all_around_what_is_edited_stays(code: str, facts: Base) -> None:
    assert marked.ported(code, facts) == marked.expected(code)


@pytest.mark.parametrize(
    "code",
    [
        "y = " + " + ".join(["torch.zeros(1)"] * 1200),
        "if a:\n    pass\n" + "".join(f"elif b == {n}:\n    torch.zeros(1)\n" for n in range(2000)),
        "y = " + " and ".join(["torch.zeros(1)"] * 2000),
    ],
    ids=["a long sum", "many branches", "many conditions"],
)
def test_what_is_long_is_not_deep(code: str, facts: Base) -> None:
    assert rewrite(code, facts).code == code.replace("torch", "mindspore")


def test_half_of_a_character_is_no_python(facts: Base) -> None:
    with pytest.raises(SyntaxError):
        rewrite("import torch\nx = '\ud800'", facts)


ONCE = """
targets:
  - expression: "mindspore.g({x}, {y}, {x})"
    id: it
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(a, b)", "mindspore.g(a, b, a)"),
        ("torch.f(a.b[0] + 1, b)", "mindspore.g(a.b[0] + 1, b, a.b[0] + 1)"),
        ("torch.f(q.pop(), b())", "(lambda x: mindspore.g(x, b(), x))(q.pop())"),
        ("torch.f(q.pop(), x)", "(lambda x_: mindspore.g(x_, x, x_))(q.pop())"),
        ("torch.f(q.pop() + 1, y=b)", "(lambda x: mindspore.g(x, b, x))(q.pop() + 1)"),
        ("torch.f(b=1)", "torch.f: has no parameter `b`"),
    ],
)
def test_what_does_something_is_evaluated_once(tmp_path: Path, code: str, expected: str) -> None:
    torch, mindspore = function("torch.f", "(x, y)"), function("mindspore.g", "()")
    done = ported(tmp_path, torch, mindspore, ONCE, code)
    assert (done.whole or done.refusals[0].reason.en) == expected


OTHER_WAY = """
targets:
  - expression: "mindspore.g({y}, {x})"
    id: it
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("torch.f(a, b)", "mindspore.g(b, a)"),
        ("torch.f(a, b())", "mindspore.g(b(), a)"),
        ("torch.f(a(), b())", "(lambda x: mindspore.g(b(), x))(a())"),
        ("torch.f(y=a(), x=b())", "mindspore.g(a(), b())"),
        ("torch.f((a(), 1), b())", "(lambda x: mindspore.g(b(), x))((a(), 1))"),
        ("torch.f(float('inf'), b())", "mindspore.g(b(), float('inf'))"),
        ("torch.f(a(), (c := b()))", "(lambda x, y: mindspore.g(y, x))(a(), (c := b()))"),
    ],
)
def test_what_does_something_runs_in_its_order(tmp_path: Path, code: str, expected: str) -> None:
    torch, mindspore = function("torch.f", "(x, y)"), function("mindspore.g", "()")
    done = ported(tmp_path, torch, mindspore, OTHER_WAY, code)
    assert (done.whole or done.refusals[0].reason.en) == expected
