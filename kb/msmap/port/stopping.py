"""Whether gradients can be stopped in what ran without: by the values that it gives to others."""

from __future__ import annotations

import ast

from msmap.code import bindings
from msmap.code.bindings import Body
from msmap.port.roles import turns_off
from msmap.port.session import Rewriter
from msmap.port.training.graphs import Graphs


def is_possible(work: Rewriter, body: Body, statement: ast.stmt) -> bool:
    """Whether what a function, or a block in it, gives is all in values that can be stopped.

    What is changed in place, or by functions that are called for that alone, is not.
    """
    graphs = Graphs(work, body, {one.node: one for one in work.bodies}, within=True)
    for block in bindings.blocks(statement):
        for node in block:
            if isinstance(node, _INNER) or not _is_plain(work, node, graphs):
                return False
            if not is_possible(work, body, node):
                return False
    return True


_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _is_plain(work: Rewriter, node: ast.stmt, graphs: Graphs) -> bool:
    """Whether a statement gives nothing to others but the values that it sets or returns."""
    inner = [one for one in bindings.own(node) if isinstance(one, ast.NamedExpr | ast.Lambda)]
    if inner or not isinstance(node, ast.Expr) or isinstance(node.value, ast.Constant):
        return not inner
    call = node.value
    if isinstance(call, ast.Yield):
        return True
    if not isinstance(call, ast.Call):
        return False
    if adds_one(call):
        return True
    function = call.func
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(function, ast.Attribute):
        own = isinstance(function.value, ast.Name) and function.value.id == "self"
        if own and _runs_without(work, function.attr):
            return True
        changes = function.attr.endswith("_") or function.attr in ("set_data", "fill")
        return changes and all(map(graphs.expression, given)) and _is_free(function, graphs)
    return isinstance(function, ast.Name) and function.id == "print"


def _is_free(function: ast.Attribute, graphs: Graphs) -> bool:
    """Whether all that a chain of changes takes is free of parameters."""
    on = function.value
    while isinstance(on, ast.Call) and isinstance(on.func, ast.Attribute):
        if not all(map(graphs.expression, on.args)):
            return False
        on = on.func.value
    return True


def adds_one(call: ast.Call) -> bool:
    """Whether a call adds one value to a list."""
    function = call.func
    adds = isinstance(function, ast.Attribute) and function.attr == "append"
    return adds and len(call.args) == 1 and not call.keywords


def _runs_without(work: Rewriter, name: str) -> bool:
    """Whether all methods of a name run without gradients wherever they are called."""
    named = [body.node for body in work.bodies if getattr(body.node, "name", "") == name]
    return bool(named) and all(_turns_off(work, node) for node in named)


def _turns_off(work: Rewriter, node: ast.AST) -> bool:
    canonical = work.resolver.reading.canonical
    for one in getattr(node, "decorator_list", ()):
        use = work.uses.get(one)
        if use is not None and use.how == "call" and turns_off(one, canonical(use.names[0]) or ""):
            return True
    return False
