"""Tensors that may hold -inf, or numbers next to it: what masks write, and where it goes.

A loss adds what it doesn't choose, times 0, to what it does: of such a number that is nan.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Set
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap.code.source import Source
from msmap.infer.values.lattice import INFINITE, Instance, Value, is_tensor

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

HELD = INFINITE.holds
# Who writes such a number down says one of these.
SAID = ("inf'", 'inf"', "math.inf", "np.inf", "numpy.inf", "torch.inf", "'-Inf", '"-Inf', ".Inf",
        "-infinity", "finfo", "e36", "e+36", "e37", "e+37", "e38", "e+38")  # fmt: skip
# A few of them add up to infinity in float32.
_HUGE = 1e36
# What these give is no such number, or nothing that a loss takes.
_BOUNDED = frozenset(
    ("softmax", "Softmax", "softmin", "sigmoid", "exp", "exp2", "expm1", "tanh", "relu",
     "nan_to_num", "clamp", "clip", "clamp_min", "clamp_", "clip_", "isinf", "isnan", "isfinite",
     "isneginf", "argmax", "argmin", "argsort", "amax", "max", "logsumexp", "multinomial", "bool",
     "eq", "ne", "gt", "lt", "ge", "le", "size", "cross_entropy", "nll_loss", "new_zeros",
     "new_ones", "zeros_like", "ones_like", "rand_like", "randn_like", "empty_like",
     "scaled_dot_product_attention")
)  # fmt: skip


def literal(node: ast.expr, names: Set[str] = frozenset()) -> bool:
    """Whether an expression is such a number written out, or one of the names for one."""
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_large(node.operand)
    if isinstance(node, ast.Attribute):
        return node.attr == "min" and _is_limits(node.value)
    return _is_text(node, "-inf")


def _is_large(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, float) and node.value >= _HUGE
    if isinstance(node, ast.Attribute):
        return node.attr in ("inf", "Inf", "infty") or (
            node.attr == "max" and _is_limits(node.value)
        )
    return _is_text(node, "inf")


def _is_limits(node: ast.expr) -> bool:
    """Whether an expression asks for the limits of a dtype."""
    function = node.func if isinstance(node, ast.Call) else None
    return "finfo" in (getattr(function, "attr", ""), getattr(function, "id", ""))


def _is_text(node: ast.expr, begins: str) -> bool:
    """Whether an expression is a text made a number: ``float("-inf")``."""
    given = node.args[0] if isinstance(node, ast.Call) and node.args else None
    text = given.value if isinstance(given, ast.Constant) else None
    return isinstance(text, str) and text.strip().lower().startswith(begins)


def names(source: Source) -> frozenset[str]:
    """The names that stand for such a number anywhere in a source."""
    return frozenset(
        target.id
        for made in source.all(ast.Assign)
        for target in made.targets
        if isinstance(target, ast.Name) and literal(made.value)
    )


def given(
    reading: Reading, node: ast.Call, leaf: str, found: Value, taken: Iterable[Value]
) -> Value:
    """What a call of PyTorch's gives, with such numbers if it takes one, or a tensor that does.

    A method in place leaves its tensor with them.
    """
    if not is_tensor(found) or leaf in _BOUNDED:
        return found
    every = [*node.args, *(keyword.value for keyword in node.keywords)]
    known = reading.infinities
    if not (any(map(holds, taken)) or any(literal(one, known) for one in every)):
        return found
    on = node.func.value if isinstance(node.func, ast.Attribute) else None
    if leaf.endswith("_") and on is not None:
        written(reading, on)
    return replace(found, holds=HELD) if isinstance(found, Instance) else found


def written(reading: Reading, node: ast.expr) -> None:
    """Such a number is written into a tensor, or into a part of one."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        before = reading.lookup(node.id)
        if isinstance(before, Instance) and is_tensor(before):
            reading.scope.bind(node.id, replace(before, holds=HELD))


def assigned(reading: Reading, target: ast.Subscript, node: ast.expr) -> None:
    """An item is set: ``logits[mask] = float("-inf")``."""
    if literal(node, reading.infinities):
        written(reading, target)


def computed(reading: Reading, node: ast.BinOp, found: Value) -> Value:
    """What an operator gives, with such numbers if one stands there."""
    known = reading.infinities
    if is_tensor(found) and (literal(node.left, known) or literal(node.right, known)):
        return INFINITE
    return found


def holds(value: Value) -> bool:
    """Whether a tensor may hold such numbers."""
    return isinstance(value, Instance) and value.holds == HELD
