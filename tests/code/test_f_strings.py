"""Expressions in f-strings: each has its own place in the source."""

from __future__ import annotations

import ast

import pytest

from msmap.code import f_strings
from msmap.code.source import Source


@pytest.mark.parametrize(
    "text",
    [
        """f'{a}{b.c(1)!r:>{w}} {d["e"]}' "x{y}" f"{g:{h}.{i}}" """,
        """f'''{a
        + b} {{c}} {(lambda: d)()}'''""",
        """f"é{a}" f'é{bé}'""",
    ],
)
def test_every_expression_stands_where_its_text_does(text: str) -> None:
    source = Source(f"x = 1\nif x:\n    y = f({text})")
    node = next(n for n in ast.walk(source.tree) if isinstance(n, ast.JoinedStr))
    assert f_strings.place(source, node)
    inside = [n for n in ast.walk(node) if isinstance(n, ast.Name | ast.Attribute | ast.Call)]
    assert [ast.unparse(n) for n in inside] == [
        ast.unparse(ast.parse(source.text(n).replace("\n", ""), mode="eval")) for n in inside
    ]


@pytest.mark.parametrize("text", ["f'{a=}'", "f'{a = }'"])
def test_what_prints_itself_has_none(text: str) -> None:
    source = Source(text)
    node = next(n for n in ast.walk(source.tree) if isinstance(n, ast.JoinedStr))
    assert not f_strings.place(source, node)
