"""Names that a source puts together from texts, as patterns of what they may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msmap.code.tree import Nodes

# What anything is like.
ANY = "(?s:.*)"


def leaf(function: ast.expr) -> str:
    """The last name of what is called."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def patterns(nodes: Nodes, node: ast.expr) -> Iterator[str]:
    """Regular expressions for the names that an expression may give; none for one written out.

    What a variable stands for is what one of the nodes assigns to it, if that is all that binds it.
    """
    for one in values(nodes, node):
        pattern = _pattern(one)
        if pattern is not None:
            yield pattern


def values(nodes: Nodes, node: ast.expr) -> list[ast.expr]:
    """What an expression is: of a variable all that is assigned to it, else itself."""
    if not isinstance(node, ast.Name):
        return [node]
    if node.id in nodes.parameters:
        return [node]
    found: list[ast.expr] = []
    bound = sum(isinstance(one.ctx, ast.Store) for one in nodes.names.get(node.id, ()))
    for part in nodes.of(ast.Assign) if bound else ():
        if _is(part.targets[0], node.id):
            found.append(part.value)
            bound -= 1
    loops: list[ast.For | ast.comprehension] = [*nodes.of(ast.For), *nodes.of(ast.comprehension)]
    for loop in loops if bound else ():
        if _is(loop.target, node.id):
            if not isinstance(loop.iter, ast.Tuple | ast.List):
                return [node]
            found += loop.iter.elts
            bound -= 1
    return found if found and not bound else [node]


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _pattern(node: ast.expr) -> str | None:
    """A regular expression for the names that an expression may give; None for one written out."""
    if isinstance(node, ast.Constant):
        return None
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_part, node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _part(node.left) + _part(node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        return _filled(node.left, r"%[^a-zA-Z%]*[a-zA-Z%]")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _filled(node.func.value, r"{[^}]*}") if node.func.attr == "format" else ANY
    return ANY


def _part(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return re.escape(str(node.value))
    return _pattern(node) or ANY


def _filled(node: ast.expr, places: str) -> str:
    """The pattern of a text whose places are filled."""
    if not isinstance(node, ast.Constant):
        return ANY
    return ANY.join(map(re.escape, re.split(places, str(node.value))))
