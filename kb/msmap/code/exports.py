"""What ``__all__`` lists: the names that a star takes of a module."""

from __future__ import annotations

import ast

from msmap.code.source import Source


def names(source: Source) -> list[str] | None:
    """What ``__all__`` lists; None if there is none, or not all of it can be read."""
    if not source.mentions("__all__"):
        return None
    found: list[str] = []
    told = False
    set_to: list[tuple[ast.expr, ast.expr | None]] = []
    for node in source.all(ast.Assign):
        set_to += [(target, node.value) for target in node.targets]
    set_to += ((one.target, one.value) for one in source.all(ast.AugAssign))
    set_to += ((one.target, one.value) for one in source.all(ast.AnnAssign))
    for target, value in set_to:
        if isinstance(target, ast.Name) and target.id == "__all__":
            told = True
            names = _texts(value)
            if names is None:
                return None
            found += names
    for statement in source.all(ast.Expr):
        call = statement.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            on = call.func.value
            if isinstance(on, ast.Name) and on.id == "__all__":
                each = [_texts(a) for a in call.args]
                if None in each:
                    return None
                found += [name for names in each for name in names or ()]
    return found if told else None


def _texts(node: ast.expr | None) -> list[str] | None:
    """The texts of a list, or the text itself; None if they can't be read."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.BinOp):
        left, right = _texts(node.left), _texts(node.right)
        return None if left is None or right is None else left + right
    if not isinstance(node, ast.List | ast.Tuple | ast.Set):
        return None
    each = [_texts(part) for part in node.elts]
    return None if None in each else [name for names in each for name in names or ()]
