"""The same program with its expressions in parentheses, over several lines."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from msmap.code.tree import children

# What isn't wrapped: it may not stand in parentheses, or its text says more than its value.
_BARE = (ast.Starred, ast.Slice, ast.GeneratorExp, ast.Tuple, ast.NamedExpr)
_TEXTS = (ast.JoinedStr, ast.FormattedValue)


def wrapped(code: str, seed: str, rate: float = 0.1) -> str:
    """A program with some of its expressions in parentheses that span several lines.

    Args:
        code: the program.
        seed: what decides which expressions these are.
        rate: how many of them, as a share.
    """
    draw = random.Random(seed)
    tree = ast.parse(code)
    starts = [0]
    for line in code.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    marks: list[tuple[int, int, int, bytes]] = []
    for node in _expressions(tree):
        if draw.random() < rate:
            begin = starts[node.lineno - 1] + node.col_offset
            end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            # What closes comes before what opens, and of two that open at once the outer first.
            marks += [(begin, 1, -end, b"(\n"), (end, 0, -begin, b"\n)")]
    text, at, pieces = code.encode(), 0, []
    for place, _, _, mark in sorted(marks):
        pieces += [text[at:place], mark]
        at = place
    made = b"".join([*pieces, text[at:]]).decode()
    assert ast.dump(ast.parse(made)) == ast.dump(tree), "it is the same program"
    return made


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions that may stand in parentheses, the outer first."""
    if isinstance(node, ast.expr) and _may_be_wrapped(node):
        yield node
    skipped: list[ast.AST | None] = []
    if isinstance(node, _TEXTS):
        return
    if isinstance(node, ast.AnnAssign | ast.arg):
        skipped = [node.annotation]
    elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        skipped = [node.returns]
    elif isinstance(node, ast.match_case):
        skipped = [node.pattern]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice | ast.Tuple):
        skipped = [node.slice]
    for child in children(node):
        if child not in skipped:
            yield from _expressions(child)


def _may_be_wrapped(node: ast.expr) -> bool:
    is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    first = node
    while isinstance(first, ast.Attribute):
        first = first.value
    # Nobody writes parentheses around names.
    is_name = isinstance(first, ast.Name)
    return is_read and not is_text and not is_name and not isinstance(node, (*_BARE, *_TEXTS))
