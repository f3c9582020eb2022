"""What operators and subscripts give, of the values that they are given."""

from __future__ import annotations

import ast

from msmap.infer import float64, infinities
from msmap.infer.iteration import iterated
from msmap.infer.values.lattice import (
    ARRAY,
    DOUBLES,
    EITHER,
    FOREIGN,
    INFINITE,
    LISTS,
    NUMBERS,
    OTHER,
    OTHERS,
    PLAIN,
    TENSOR,
    UNKNOWN,
    Instance,
    Items,
    Keyed,
    Mapped,
    Value,
    held,
    is_tensor,
    join,
)


def computed(left: Value, right: Value, operator: ast.operator) -> Value:
    """What an operator gives."""
    if float64.computed(left, right):
        return DOUBLES
    if is_tensor(left):
        return INFINITE if infinities.holds(left) or infinities.holds(right) else TENSOR
    if left.__class__ is Items:
        if operator.__class__ is ast.Add and right.__class__ is Items:
            return Items(None, join(left.element, right.element), mutable=True)
        return Items(None, left.element, mutable=True)
    if left is PLAIN and operator.__class__ is ast.Mod:
        # Either a text that is filled or a number.
        return TENSOR if is_tensor(right) else PLAIN
    if is_tensor(right):
        if left in (OTHER, FOREIGN, ARRAY, EITHER):
            return UNKNOWN
        return INFINITE if infinities.holds(right) else TENSOR
    if left is PLAIN and right is PLAIN:
        return PLAIN
    if EITHER in (left, right) and left in NUMBERS and right in NUMBERS:
        return EITHER
    if left in OTHERS and right in OTHERS:
        return ARRAY if ARRAY in (left, right) else OTHER
    return UNKNOWN


def item(base: Value, index: ast.expr) -> Value:
    """What a subscript gives."""
    kind = base.__class__
    if kind is Items:
        values = base.values  # type: ignore[attr-defined]
        number = _number(index)
        if values is not None and number is not None and -len(values) <= number < len(values):
            return values[number]  # type: ignore[no-any-return]
        if index.__class__ is ast.Slice:
            return Items(None, base.element, mutable=base.mutable)  # type: ignore[attr-defined]
        return base.element  # type: ignore[attr-defined,no-any-return]
    if kind is Keyed:
        return base.get(index)  # type: ignore[attr-defined,no-any-return]
    if kind is Mapped:
        return base.each  # type: ignore[attr-defined,no-any-return]
    if kind is Instance:
        if base.owner == "size":  # type: ignore[attr-defined]
            return base if index.__class__ is ast.Slice else PLAIN
        if base.name in LISTS:  # type: ignore[attr-defined]
            return base if index.__class__ is ast.Slice else held(base)  # type: ignore[arg-type]
        return base if infinities.holds(base) or float64.holds(base) else iterated(base)
    return base if base in OTHERS else UNKNOWN


def _number(node: ast.expr) -> int | None:
    if node.__class__ is ast.UnaryOp and node.op.__class__ is ast.USub:
        inner = _number(node.operand)
        return None if inner is None else -inner
    found = node.value if node.__class__ is ast.Constant else None
    return found if found.__class__ is int else None
