"""Managers of blocks that do nothing, in whatever way the code makes them."""

from __future__ import annotations

import ast

from msmap.code.bindings import Body
from msmap.port.session import Rewriter


def idle(work: Rewriter, node: ast.stmt, body: Body) -> bool:
    """Whether a block has one manager, a name for what does nothing, in whatever way it is made."""
    if node in work.through:
        return True
    item = node.items[0] if isinstance(node, ast.With) and len(node.items) == 1 else None
    if (
        item is None
        or item.optional_vars is not None
        or not isinstance(item.context_expr, ast.Name)
    ):
        return False
    name, where = item.context_expr.id, body
    while name not in where.bindings:
        if where.outer is None or name in where.parameters:
            return False
        where = where.outer
    made = [one.value for one in where.bindings[name] if isinstance(one, ast.Assign)]
    whole = len(made) == len(where.bindings[name]) and name not in where.parameters
    return whole and all(does_nothing(work, one) for one in made)


def does_nothing(work: Rewriter, node: ast.expr) -> bool:
    """Whether an expression gives a manager of a block that does nothing."""
    if isinstance(node, ast.IfExp):
        return does_nothing(work, node.body) and does_nothing(work, node.orelse)
    if not isinstance(node, ast.Call):
        return False
    return node in work.nulls or (ast.unparse(node.func) == null(work) and not node.args)


def null(work: Rewriter) -> str:
    """What the code calls Python's manager that does nothing; "" if it imports none."""
    for node in work.imports:
        for alias in node.names:
            if isinstance(node, ast.Import) and alias.name == _HOME:
                name, call = alias.asname or alias.name, f"{alias.asname or alias.name}.{_NULL}"
            elif isinstance(node, ast.ImportFrom) and (node.module, alias.name) == (_HOME, _NULL):
                name = call = alias.asname or alias.name
            else:
                continue
            bound = sum(len(body.bindings.get(name, ())) for body in work.bodies)
            if bound == 1 and not any(name in body.parameters for body in work.bodies):
                return call
    return ""


_HOME, _NULL = "contextlib", "nullcontext"
