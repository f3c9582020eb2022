"""Numbers beside tensors of float64: MindSpore rounds them to float32, so they become tensors."""

from __future__ import annotations

import ast
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap.infer import arrays
from msmap.infer.values.lattice import (
    DOUBLES,
    DTYPE,
    INTEGERS,
    PLAIN,
    Instance,
    Items,
    Object,
    Value,
    is_tensor,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

_DTYPES = ("float64", "double")
_MAKING = ("double", "DoubleTensor")
# What takes the dtype of an array.
_COPYING = ("tensor", "as_tensor", "asarray")
# Functions of a tensor and a number of which each may be a tensor in MindSpore too.
_OPERAND = frozenset(
    ("eq", "ne", "lt", "le", "gt", "ge", "not_equal", "less", "less_equal", "greater",
     "greater_equal", "add", "sub", "mul", "div", "subtract", "multiply", "divide", "true_divide",
     "floor_divide", "pow", "fmod", "remainder", "xlogy", "isin", "__add__", "__radd__",
     "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__", "__rtruediv__", "__floordiv__",
     "__rfloordiv__", "__mod__", "__rmod__", "__pow__", "__rpow__")
)  # fmt: skip
# Those that take numbers besides, such as bounds and factors.
_BESIDE = frozenset(
    (
        "where",
        "clamp",
        "clip",
        "clamp_min",
        "clamp_max",
        "masked_fill",
        "addcmul",
        "addcdiv",
        "__setitem__",
    )
)
# What rounds a quotient to the dtype before it is cut to a whole number.
_QUOTIENTS = frozenset(("fmod", "remainder"))
# What gives other dtypes than it takes.
_OTHER = frozenset(
    ("eq", "ne", "lt", "le", "gt", "ge", "not_equal", "less", "less_equal", "greater",
     "greater_equal", "equal", "allclose", "isclose", "isin", "isfinite", "isinf", "isnan",
     "isneginf", "isposinf", "isreal", "is_nonzero", "signbit", "all", "any", "logical_and",
     "logical_not", "logical_or", "logical_xor", "argmax", "argmin", "argsort", "argwhere",
     "nonzero", "count_nonzero", "bucketize", "searchsorted", "bincount", "multinomial", "one_hot",
     "matrix_rank", "complex", "polar", "view_as_complex", "fft", "fft2", "fftn", "ifft", "ifft2",
     "ifftn", "ihfft", "ihfft2", "ihfftn", "rfft", "rfft2", "rfftn", "stft", "eigvals", "float",
     "half", "bfloat16", "int", "long", "short", "byte", "char", "bool", "cfloat", "cdouble",
     "type", "type_as", "to", "view_as_real", "frexp", "quantize_per_tensor", "histogram",
     "binary_cross_entropy_with_logits", "from_numpy", "new", "new_tensor", "bitwise_not",
     "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__bool__")
)  # fmt: skip
# What cuts a tensor into several, and what gives values with the places where they stand.
_CUTTING = frozenset(
    ("chunk", "split", "unbind", "tensor_split", "hsplit", "vsplit", "dsplit", "meshgrid",
     "broadcast_tensors", "split_with_sizes", "unsafe_chunk", "unsafe_split", "std_mean",
     "var_mean", "aminmax")
)  # fmt: skip
_PLACING = frozenset(
    ("max", "min", "sort", "topk", "median", "nanmedian", "mode", "kthvalue", "cummax", "cummin")
)


def holds(value: Value) -> bool:
    """Whether a tensor is proved to be of float64."""
    return isinstance(value, Instance) and value.holds == DOUBLES.holds


def made(reading: Reading, node: ast.Call, leaf: str) -> bool:
    """Whether a call of PyTorch's says that its result is of float64."""
    if leaf in _MAKING:
        return True
    named = [one.value for one in node.keywords if one.arg == "dtype"]
    given = [*node.args, *named]
    if any(is_dtype(reading, one) for one in given):
        return True
    if leaf == "from_numpy":
        return any(arrays.is_double(reading, one) for one in node.args[:1])
    if leaf not in _COPYING or named:
        return False
    data = [*node.args[:1], *(one.value for one in node.keywords if one.arg == "data")]
    return any(arrays.is_double(reading, one) for one in data)


def is_dtype(reading: Reading, node: ast.expr) -> bool:
    """Whether an argument names float64: by PyTorch's name, Python's, or a variable's."""
    if node.__class__ is ast.Attribute:
        return node.attr in _DTYPES
    if node.__class__ is not ast.Name:
        return False
    if node.id == "float":
        return not reading.is_bound("float")
    bound = reading.bindings.get(node.id)
    return bool(bound) and all(
        isinstance(one, ast.Attribute) and one.attr in _DTYPES for one in bound or ()
    )


def computed(left: Value, right: Value) -> bool:
    """Whether an operator between two values gives float64."""
    both = (left, right)
    return any(map(holds, both)) and all(
        holds(one) or one is PLAIN or (is_tensor(one) and one.holds == INTEGERS.holds)  # type: ignore[attr-defined]
        for one in both
    )


def divided(reading: Reading, node: ast.BinOp, left: Value, right: Value) -> None:
    """Note ``//`` and ``%`` of float64 by what a quotient need not be exact of."""
    if node.op.__class__ not in _DIVIDING or not (holds(left) or holds(right)):
        return
    if _is_whole(node.right):
        return
    name = "floordiv" if node.op.__class__ is ast.FloorDiv else "mod"
    of = left if is_tensor(left) else right
    reading.note_operator(node, (f"__{name}__",), of, "float64")


_DIVIDING = (ast.FloorDiv, ast.Mod)


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
    doubles = any(holds(one) for value in values for one in _parts(value))
    if doubles or reading.exact:
        for part, operand in _numbers(node, name):
            plain = reading.given.get(part) is PLAIN
            _note(reading, part, doubles and plain and (operand or _literal(part)))
    taken(reading, node, values)
    if doubles and name in _QUOTIENTS and not all(map(_is_whole, _given(node)[-1:])):
        reading.rounded.add(node)
    return _kept(reading, node, leaf, found, values) if doubles else found


def taken(reading: Reading, node: ast.Call, values: Sequence[Value]) -> None:
    """Note whether a call takes a tensor of float64, and numbers that are rounded beside it."""
    doubles = any(holds(one) for value in values for one in _parts(value))
    (reading.doubles.add if doubles else reading.doubles.discard)(node)
    if doubles and any(_is_rounded(one) and one not in reading.exact for one in _given(node)):
        reading.rounded.add(node)
    else:
        reading.rounded.discard(node)


def layer(reading: Reading, node: ast.Call, called: Instance, values: Sequence[Value]) -> None:
    """Note that a layer, or those that it holds, takes a tensor of float64."""
    if called.maker is None or not any(map(holds, values)):
        reading.layers.pop(node, None)
    elif isinstance(called.maker, ast.Call):
        reading.layers[node] = called.maker


def own(reading: Reading, node: ast.Call, called: Object, values: Sequence[Value]) -> None:
    """Note that a module of the source takes a tensor of float64."""
    if any(map(holds, values)):
        reading.modules[node] = called.entry
    else:
        reading.modules.pop(node, None)


def rounded_in(node: ast.AST) -> Iterator[ast.BinOp | ast.Compare]:
    """The operators in some code beside which float64 would need a number to be a tensor."""
    for one in ast.walk(node):
        if isinstance(one, ast.BinOp):
            sides = [one.left, one.right]
        elif isinstance(one, ast.Compare):
            sides = [one.left, *one.comparators]
        else:
            continue
        if any(map(_is_rounded, sides)) and not all(isinstance(s, ast.Constant) for s in sides):
            yield one


def makers(reading: Reading, rounded: bool = False) -> set[ast.AST]:
    """The calls that make layers which take tensors of float64.

    Args:
        reading: of the source.
        rounded: only those that are given a number which float32 can't hold.
    """
    inner = (one for made in reading.layers.values() for one in ast.walk(made))
    calls = [one for one in inner if isinstance(one, ast.Call)]
    return {one for one in calls if not rounded or any(map(_is_rounded, _given(one)))}


def _given(node: ast.Call) -> list[ast.expr]:
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def _is_rounded(node: ast.expr) -> bool:
    return _literal(node) and not _is_exact(node)


def _is_whole(node: ast.expr) -> bool:
    """Whether a divisor is a literal that float32 holds, of which quotients are mostly exact."""
    return isinstance(node, ast.Constant) and _is_exact(node)


def of_first(found: Value, values: Sequence[Value]) -> Value:
    """What a layer gives, or a parameter is: of float64 where what it takes first is."""
    doubles = bool(values) and holds(values[0]) and is_tensor(found)
    return replace(found, holds=DOUBLES.holds) if doubles else found  # type: ignore[type-var]


def stored(reading: Reading, node: ast.expr, base: Value, found: Value) -> None:
    """Note a number that is stored in a tensor of float64."""
    _note(reading, node, found is PLAIN and holds(base))


def _parts(value: Value) -> Sequence[Value]:
    """A tensor, or those of a container."""
    if value.__class__ is not Items:
        return (value,)
    return value.values if value.values is not None else (value.each,)


def _kept(
    reading: Reading, node: ast.Call, leaf: str, found: Value, values: Sequence[Value]
) -> Value:
    """What a call gives that takes float64: float64 too, unless the code shows another dtype."""
    tensors = [one for value in values for one in _parts(value) if is_tensor(one)]
    if not all(holds(one) or one.holds == INTEGERS.holds for one in tensors):  # type: ignore[attr-defined]
        return found
    if leaf == "to":
        moves = all(_is_place(reading, one) for one in node.args) and not node.keywords
        return DOUBLES if moves and is_tensor(found) else found
    if leaf in _OTHER or any(one.arg == "dtype" for one in node.keywords):
        return found
    if any(_peeked(reading, one) is DTYPE for one in node.args):
        return found
    if is_tensor(found):
        return found if found.holds else replace(found, holds=DOUBLES.holds)  # type: ignore[attr-defined,type-var]
    if not isinstance(found, Items):
        return found
    if leaf in _CUTTING:
        of = [DOUBLES if is_tensor(one) else one for one in found.values or ()]
        each = DOUBLES if is_tensor(found.each) else found.each
        return replace(found, values=None if found.values is None else tuple(of), each=each)
    if leaf in _PLACING and is_tensor(found.element):
        return replace(found, values=(DOUBLES, INTEGERS))
    return found


def _is_place(reading: Reading, node: ast.expr) -> bool:
    """Whether an argument of ``to`` is a device."""
    if isinstance(node, ast.Constant):
        return True
    found = _peeked(reading, node)
    return isinstance(found, Instance) and found.name == "torch.device"


def _peeked(reading: Reading, node: ast.expr) -> Value:
    """What an argument is; nothing is noted of it."""
    reading.quiet += 1
    found = reading.peek(node)
    reading.quiet -= 1
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
