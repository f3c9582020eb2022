"""Operators on tensors in users' code: those noted of which a record may have something to say."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.infer import float64, infinities
from msmap.infer.values.lattice import (
    ARRAY,
    DOUBLES,
    EITHER,
    INTEGERS,
    PLAIN,
    UNKNOWN,
    Instance,
    Items,
    Value,
    is_tensor,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

NAMES: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "lshift", ast.RShift: "rshift", ast.Eq: "eq", ast.NotEq: "ne",
}  # fmt: skip
SHIFTS = (ast.LShift, ast.RShift)
# Functions and methods that give integers, and dtypes of integers.
_INTEGERS = frozenset(
    ("long", "int", "short", "argmax", "argmin", "argsort", "randint", "randperm", "nonzero",
     "bincount", "multinomial", "one_hot", "LongTensor", "IntTensor", "ShortTensor", "ByteTensor")
)  # fmt: skip
_DTYPES = frozenset(
    ("long", "int", "short", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32")
)
_LITERAL = ("tensor", "as_tensor", "arange", "full")


def binary(reading: Reading, node: ast.BinOp, left: Value, right: Value) -> None:
    """An operator between two values of which one may be a tensor."""
    name = NAMES.get(node.op.__class__)
    if name is None:
        return
    if node.op.__class__ in SHIFTS:
        reading.given |= {node.left: left, node.right: right}
        if is_tensor(left):
            reading.note_operator(node, (f"__{name}__",), left, "call")
        elif is_tensor(right) and left is PLAIN:
            reading.note_operator(node, (f"__r{name}__",), right, "call")
    elif left is ARRAY and is_tensor(right):
        reading.note_operator(node, (f"__r{name}__", f"__{name}__"), right, "numpy")


def inverted(reading: Reading, node: ast.UnaryOp, found: Value) -> None:
    """``~x`` of a tensor."""
    if node.op.__class__ is ast.Invert and _holds_integers(found):
        reading.note_operator(node, ("__invert__",), found, "integers")


def compared(reading: Reading, node: ast.Compare, left: Value, right: Value) -> None:
    """A tensor is compared with one value."""
    name = NAMES.get(node.ops[0].__class__)
    if name is not None and is_tensor(left) and right is ARRAY:
        reading.note_operator(node, (f"__{name}__",), left, "numpy")


def taken(reading: Reading, node: ast.Subscript, base: Value) -> None:
    """An item of a tensor is asked for: by a number, a slice and an index tensor at once."""
    index = node.slice
    if not is_tensor(base) or index.__class__ is not ast.Tuple:
        return
    kinds = [index_kind(reading, part) for part in index.elts]
    given = [kind for kind in kinds if kind]
    apart = "slice" in given and given[0] == "number" and given[-1] == "indices"
    if apart and given[1:-1] == ["slice"] * (len(given) - 2) and "" not in kinds:
        reading.note_operator(node, ("__getitem__",), base, "mixed")


def indexed(reading: Reading, index: ast.expr, base: Value, found: Value, name: str) -> None:
    """An item of a tensor is asked for, or set, by what NumPy gave."""
    if not is_tensor(base):
        return
    parts = [(index, found)]
    if isinstance(index, ast.Tuple) and isinstance(found, Items) and found.values is not None:
        parts = list(zip(index.elts, found.values, strict=False))
    for part, one in parts:
        if part in reading.uses:
            continue
        if one is ARRAY or one is EITHER:
            reading.note_operator(part, (name,), base, "array")
        elif one is UNKNOWN and reading.scope.getter:
            reading.note_operator(part, (name,), base, "index")


def stored(reading: Reading, target: ast.Subscript, node: ast.expr, found: Value) -> None:
    """An item of what may be a tensor is set to a value."""
    if found is PLAIN:
        float64.stored(reading, node, reading.peek(target.value), found)
    if reading.boundless:
        infinities.assigned(reading, target, node)


def index_kind(reading: Reading, node: ast.expr) -> str:
    """What an index is: a "slice", a "number", "indices", or "" where nothing tells."""
    if node.__class__ is ast.Slice:
        return "slice"
    if node.__class__ is ast.List:
        return "indices"
    if node.__class__ is ast.Constant:
        return "number" if node.value.__class__ is int else ""
    reading.quiet += 1
    found = reading.peek(node)
    reading.quiet -= 1
    if is_tensor(found):
        return "indices"
    return "number" if found is PLAIN else ""


def held(reading: Reading, node: ast.Call, name: str, found: Value) -> Value:
    """What a call of PyTorch's gives, with what it holds where the call says so."""
    if found.__class__ is not Instance or found.owner != "tensor" or found.name != "torch.Tensor":
        return found
    leaf = name.rpartition(".")[2]
    if float64.made(reading, node, leaf):
        return DOUBLES
    given: list[ast.expr] = node.args
    if node.keywords:
        given = [*given, *[one.value for one in node.keywords]]
    for one in given:
        if one.__class__ is ast.Attribute and one.attr in _DTYPES:
            return INTEGERS
    if leaf in _INTEGERS and not any(one.arg == "dtype" for one in node.keywords):
        return INTEGERS
    if leaf in _LITERAL and not node.keywords and node.args and all(map(_is_integer, node.args)):
        return INTEGERS
    return found


def _is_integer(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts) and all(map(_is_integer, node.elts))
    if isinstance(node, ast.UnaryOp):
        return _is_integer(node.operand)
    return isinstance(node, ast.Constant) and node.value.__class__ is int


def _holds_integers(found: Value) -> bool:
    return is_tensor(found) and found.holds == "integers"  # type: ignore[attr-defined]
