"""Augmented assignments of tensors that others may refer to, or that may be such."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msmap.code import likely
from msmap.code.aliasing import Change, kind_of
from msmap.code.holders import Aliases
from msmap.code.operators import NAMES, SHIFTS
from msmap.code.uses import Use
from msmap.code.values import BASES, TENSOR
from msmap.names import in_place

if TYPE_CHECKING:
    from msmap.code.reading import Reading


def note(reading: Reading) -> None:
    """Note those that change what others refer to, and in-place methods called on a view.

    ``seen`` of the use is the place of what is changed: "call" for a tensor itself, "view" or
    "part" of another tensor, "maybe" where it isn't proved to be a tensor.
    """
    if reading.own:
        return
    changes = list(_changes(reading))
    methods = list(_methods(reading))
    if not changes and not methods:
        return
    found = Aliases(reading).changes
    for node in changes:
        change = found.get(node)
        seen = "" if change is None else _seen(reading, node, change)
        if seen:
            name = f"{BASES['tensor']}.__i{NAMES[type(node.op)]}__"
            reading.uses[node] = Use(node, "operator", (name,), node, TENSOR, seen=seen)
    for use in methods:
        made = found.get(use.node)
        if made is not None and made.place and not use.seen:
            use.seen = made.place


def _changes(reading: Reading) -> Iterator[ast.AugAssign]:
    """Those of what may be a tensor."""
    for node, (before, added) in reading.augmented.items():
        kind = kind_of(before)
        if type(node.op) not in NAMES or kind == "container":
            continue
        if kind == "other" and kind_of(added) == "other":
            continue
        if isinstance(node.target, ast.Subscript) and isinstance(node.target.slice, _SEVERAL):
            # Items of a tensor, or of an array.
            continue
        if kind == "tensor" or not likely.is_literal(node.value):
            yield node


_SEVERAL = (ast.Slice, ast.Tuple)


def _methods(reading: Reading) -> Iterator[Use]:
    """Methods that change a tensor which a name holds, or what a call gives."""
    for use in reading.uses.values():
        function = use.node.func if isinstance(use.node, ast.Call) else None
        if use.how == "method" and isinstance(function, ast.Attribute) and not use.seen:
            if in_place(function.attr) and isinstance(function.value, ast.Name | ast.Call):
                yield use


def _seen(reading: Reading, node: ast.AugAssign, change: Change) -> str:
    before, added = reading.augmented[node]
    is_proved = kind_of(before) == "tensor" or change.kinds == {"tensor"}
    if isinstance(node.target, ast.Subscript) and change.of_tensor:
        return ""
    if is_proved:
        if isinstance(node.op, SHIFTS):
            return change.place or "call"
        return (change.place or "call") if _is_shared(reading, node, change) else ""
    if kind_of(before) == "other" and change.kinds <= {"other"}:
        return ""
    if not change.kinds & {"tensor", "unknown"} or isinstance(node.op, SHIFTS):
        return ""
    if not _is_shared(reading, node, change):
        return ""
    return "maybe" if likely.is_tensor(reading, node, change, added) else ""


def _is_shared(reading: Reading, node: ast.AugAssign, change: Change) -> bool:
    if isinstance(node.target, ast.Attribute):
        return likely.is_kept(reading, node.target)
    return change.shared
