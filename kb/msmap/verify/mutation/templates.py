"""What a slip of the pen makes of a template: another literal, or two placeholders exchanged."""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Iterator, Mapping

_PLACEHOLDER = re.compile(r"\{[A-Za-z_]\w*(?:\[\d+\])?\}")


def changes(template: str) -> Iterator[tuple[str, str]]:
    """Each single change of a template: what it is in words, and the text it makes."""
    yield from _literals(template)
    yield from _swaps(template)


def equivalent(one: str, other: str) -> bool:
    """Whether two templates differ only in the order of operands that may be exchanged."""
    return _canonical(one) == _canonical(other)


def _literals(template: str) -> Iterator[tuple[str, str]]:
    # Placeholders become names of the same length, so that places stay what they are.
    hidden = _PLACEHOLDER.sub(lambda m: "_" * len(m[0]), template)
    lines = hidden.splitlines(keepends=True)
    starts = [sum(map(len, lines[:row])) for row in range(len(lines) + 1)]
    for token in tokenize.generate_tokens(io.StringIO(hidden).readline):
        other = _other(token)
        if other is not None:
            begin = starts[token.start[0] - 1] + token.start[1]
            end = begin + len(token.string)
            yield f"{token.string} -> {other}", template[:begin] + other + template[end:]


def _other(token: tokenize.TokenInfo) -> str | None:
    if token.type == tokenize.NAME and token.string in ("True", "False"):
        return "False" if token.string == "True" else "True"
    if token.type != tokenize.NUMBER:
        return None
    number = ast.literal_eval(token.string)
    if isinstance(number, int):
        return str(number + 1)
    return str(number * 2 or 1.0)


def _swaps(template: str) -> Iterator[tuple[str, str]]:
    found = list(dict.fromkeys(_PLACEHOLDER.findall(template)))
    for one, other in itertools.pairwise(found):
        yield f"{one} <-> {other}", exchanged(template, {one: other, other: one})


def exchanged(template: str, swap: Mapping[str, str]) -> str:
    """The template with some placeholders in place of others."""
    return _PLACEHOLDER.sub(lambda m: swap.get(m[0], m[0]), template)


class _Sorted(ast.NodeTransformer):
    """Operands of + and * in one order, whatever the order in the source."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Add | ast.Mult):
            node.left, node.right = sorted((node.left, node.right), key=ast.dump)
        return node


def _canonical(template: str) -> str:
    try:
        return ast.dump(_Sorted().visit(ast.parse(template, mode="eval")))
    except SyntaxError:
        return template
