"""Numbers beside tensors of float64: MindSpore rounds them to float32, so they become tensors."""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msmap.code.values import DOUBLES, INTEGERS, PLAIN, Instance, Value, is_tensor

if TYPE_CHECKING:
    from msmap.code.reading import Reading

_DTYPES = ("float64", "double")
_MAKING = ("double", "DoubleTensor")
# Functions of a tensor and a number of which each may be a tensor in MindSpore too.
_OPERAND = frozenset(
    ("eq", "ne", "lt", "le", "gt", "ge", "not_equal", "less", "less_equal", "greater",
     "greater_equal", "add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide",
     "floor_divide", "pow", "fmod", "remainder", "xlogy", "isin")
)  # fmt: skip
# Those that take numbers besides, such as bounds and factors.
_BESIDE = frozenset(
    ("where", "clamp", "clip", "clamp_min", "clamp_max", "masked_fill", "addcmul", "addcdiv")
)
# What gives the dtype that it takes.
_KEEPING = _OPERAND - {"isin"} - frozenset(
    ("eq", "ne", "lt", "le", "gt", "ge", "not_equal", "less", "less_equal", "greater",
     "greater_equal")
) | _BESIDE - {"where"} | frozenset(
    ("abs", "neg", "exp", "log", "sqrt", "rsqrt", "sin", "cos", "tan", "tanh", "sigmoid", "relu",
     "square", "reciprocal", "sum", "mean", "prod", "cumsum", "cumprod", "clone", "detach",
     "contiguous", "reshape", "view", "flatten", "squeeze", "unsqueeze", "transpose", "permute",
     "expand", "t", "flip", "roll", "narrow", "index_select", "zeros_like", "ones_like",
     "rand_like", "randn_like", "empty_like", "full_like", "requires_grad_", "diagonal", "diag")
)  # fmt: skip


def holds(value: Value) -> bool:
    """Whether a tensor is proved to be of float64."""
    return isinstance(value, Instance) and value.holds == DOUBLES.holds


def made(node: ast.Call, leaf: str) -> bool:
    """Whether a call of PyTorch's says that its result is of float64."""
    if leaf in _MAKING:
        return True
    given = [*node.args, *(one.value for one in node.keywords)]
    return any(one.__class__ is ast.Attribute and one.attr in _DTYPES for one in given)


def computed(left: Value, right: Value) -> bool:
    """Whether an operator between two values gives float64."""
    both = (left, right)
    return any(map(holds, both)) and all(
        holds(one) or one is PLAIN or (is_tensor(one) and one.holds == INTEGERS.holds)  # type: ignore[attr-defined]
        for one in both
    )


def beside(reading: Reading, left: ast.expr, before: Value, right: ast.expr, after: Value) -> None:
    """Note a number on one side of an operator that has a tensor of float64 on the other."""
    _note(reading, left, before is PLAIN and holds(after))
    _note(reading, right, after is PLAIN and holds(before))


def called(
    reading: Reading, node: ast.Call, leaf: str, found: Value, values: Sequence[Value]
) -> Value:
    """What a call gives, whose numbers are noted where a tensor among its values is of float64.

    Args:
        reading: of the source.
        node: the call.
        leaf: the last word of its name.
        found: what it gives.
        values: the tensors that it may take: a receiver, and what is given first.
    """
    name = leaf.removesuffix("_") if leaf[:1] != "_" else leaf
    doubles = any(map(holds, values))
    if doubles or reading.exact:
        for part, operand in _numbers(node, name):
            plain = reading.given.get(part) is PLAIN
            _note(reading, part, doubles and plain and (operand or _literal(part)))
    (reading.doubles.add if doubles else reading.doubles.discard)(node)
    every = [*node.args, *(keyword.value for keyword in node.keywords)]
    if doubles and any(_literal(p) and not _is_exact(p) and p not in reading.exact for p in every):
        reading.rounded.add(node)
    else:
        reading.rounded.discard(node)
    if doubles and name in _KEEPING and is_tensor(found) and not found.holds:  # type: ignore[attr-defined]
        return DOUBLES
    return found


def _numbers(node: ast.Call, name: str) -> Iterator[tuple[ast.expr, bool]]:
    """The arguments of a call that may be numbers, and whether each is an operand for sure."""
    if name in _OPERAND or name in _BESIDE:
        is_operand = name in _OPERAND
        yield from ((part, is_operand) for part in node.args)
        for keyword in node.keywords:
            if keyword.arg != "alpha":
                yield keyword.value, is_operand and keyword.arg in ("other", "exponent", "input")


def _note(reading: Reading, node: ast.expr, is_beside: bool) -> None:
    if is_beside and not _is_exact(node):
        reading.exact.add(node)
    else:
        reading.exact.discard(node)


def _literal(node: ast.expr) -> bool:
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, float)


# What gives integers, which nothing rounds here.
_COUNTS = frozenset(("len", "int", "size", "numel", "dim", "ndimension", "count", "index", "ndim"))


def _is_exact(node: ast.expr) -> bool:
    """Whether a number is the same in float32 as far as the code shows: a literal, a count."""
    if isinstance(node, ast.UnaryOp):
        return _is_exact(node.operand)
    if isinstance(node, ast.BinOp):
        divides = isinstance(node.op, ast.Div)
        return not divides and _is_exact(node.left) and _is_exact(node.right)
    if isinstance(node, ast.Call):
        return _leaf(node.func) in _COUNTS
    if isinstance(node, ast.Subscript):
        return _leaf(node.value) == "shape"
    if not isinstance(node, ast.Constant):
        return _leaf(node) in _COUNTS
    if not isinstance(node.value, float):
        return True
    try:
        return bool(struct.unpack("f", struct.pack("f", node.value))[0] == node.value)
    except OverflowError:
        return False


def _leaf(node: ast.expr) -> str:
    return getattr(node, "attr", "") or getattr(node, "id", "")
