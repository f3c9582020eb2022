"""The expressions that turn a tensor of PyTorch's into MindSpore's: slices, axes, and no more."""

from __future__ import annotations

import ast
import operator
from typing import Any

from msmap.errors import WeightsError

_METHODS = {"reshape", "transpose", "swapaxes", "squeeze", "T", "copy", "astype", "ravel"}
_FUNCTIONS = {
    "expand_dims", "squeeze", "transpose", "swapaxes", "reshape", "moveaxis", "flip", "roll",
    "concatenate", "stack", "split", "zeros_like", "ones_like", "float32", "float16", "float64",
    "int32", "int64",
}  # fmt: skip
_OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv,
}  # fmt: skip


def evaluate(source: str, value: Any) -> Any:
    """What an expression of ``value`` and ``np`` gives: a file that has one can run nothing else.

    Raises:
        WeightsError: it is none, or fails.
    """
    if source == "value":
        return value
    try:
        return _evaluate(ast.parse(source.strip(), mode="eval").body, value)
    except WeightsError:
        raise
    except Exception as error:
        raise WeightsError("{}: {}", source, error) from None


def _evaluate(node: ast.expr, value: Any) -> Any:
    import numpy as np

    def of(one: ast.expr | None) -> Any:
        return None if one is None else _evaluate(one, value)

    if isinstance(node, ast.Name) and node.id == "value":
        return value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float | None):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -of(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](of(node.left), of(node.right))
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(of(one) for one in node.elts)
    if isinstance(node, ast.Slice):
        return slice(of(node.lower), of(node.upper), of(node.step))
    if isinstance(node, ast.Subscript):
        return of(node.value)[of(node.slice)]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == "np" and node.attr in _FUNCTIONS:
            return getattr(np, node.attr)
        if node.attr == "shape" and node.value.id == "value":
            return value.shape
    if isinstance(node, ast.Attribute) and node.attr in _METHODS:
        return getattr(of(node.value), node.attr)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        named = {one.arg: of(one.value) for one in node.keywords if one.arg}
        return of(node.func)(*(of(one) for one in node.args), **named)
    raise WeightsError(
        "{}: of `value` only slices, axes and shapes may be changed, as in value[:, :, None, "
        ":], value.reshape(8, -1) or np.expand_dims(value, 2)",
        ast.unparse(node),
    )
