"""Augmented assignments of tensors that others may refer to, or that may be such."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msmap.infer import promotion
from msmap.infer.aliasing import likely
from msmap.infer.aliasing.heap import (
    ANY,
    Change,
    Heap,
    Origin,
    Parameter,
    callees,
    is_closed,
    kind_of,
)
from msmap.infer.aliasing.in_place import Functions
from msmap.infer.aliasing.points_to import Holders
from msmap.infer.aliasing.sharing import SAID, Sharing
from msmap.infer.operators import NAMES, SHIFTS
from msmap.infer.uses import Use
from msmap.infer.values.lattice import BASES, TENSOR
from msmap.names import in_place

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


def note(reading: Reading) -> None:
    """Note those that change what others refer to, and in-place methods called on a view.

    ``seen`` of the use is the place of what is changed: "call" for a tensor itself, "view" or
    "part" of another tensor, "any" for either, "maybe" where it isn't proved to be a tensor.
    """
    if reading.own:
        return
    changes = list(_changes(reading))
    methods = list(_methods(reading))
    copies = reading.source.mentions(*SAID)
    if not changes and not methods and not copies:
        return
    aliases = Aliases(reading)
    found = aliases.changes
    for node in changes:
        change = found.get(node)
        seen = "" if change is None else _seen(reading, node, change)
        if seen:
            name = f"{BASES['tensor']}.__i{NAMES[type(node.op)]}__"
            reading.uses[node] = Use(node, "operator", (name,), node, TENSOR, seen=seen)
    for use in methods:
        made = found.get(use.node)
        if made is None or not made.place:
            continue
        # An item of a container is written to as such, whatever it is a view of.
        is_item = isinstance(use.node.func.value, ast.Subscript)  # type: ignore[attr-defined]
        place = "any" if is_item else made.place
        if place != "any" or _is_statement(use):
            use.seen = place
    reading.shared = aliases.sharing.finish()


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
        if kind == "tensor" or likely.is_open(node):
            yield node


_SEVERAL = (ast.Slice, ast.Tuple, ast.List)


def _methods(reading: Reading) -> Iterator[Use]:
    """Methods that change a tensor which a name holds, or what a call gives."""
    for use in reading.uses.values():
        function = use.node.func if isinstance(use.node, ast.Call) else None
        if use.how != "method" or not isinstance(function, ast.Attribute):
            continue
        if not in_place(function.attr) or use.seen not in ("", "item"):
            continue
        if isinstance(function.value, ast.Name | ast.Call | ast.Subscript):
            yield use


def _is_statement(use: Use) -> bool:
    """Whether nobody uses what a method gives, so that an assignment can be written."""
    statement, node = use.statement, use.node
    return (
        isinstance(statement, ast.Expr) and statement.value is node
        and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name | ast.Subscript)
    )  # fmt: skip


def _seen(reading: Reading, node: ast.AugAssign, change: Change) -> str:
    before, added = reading.augmented[node]
    set_here = reading.uses.get(node)
    is_buffer = set_here is not None and set_here.how == "buffer"
    is_proved = is_buffer or kind_of(before) == "tensor" or change.kinds == {"tensor"}
    if isinstance(node.target, ast.Subscript) and change.of_tensor:
        return ""
    if is_proved:
        if isinstance(node.op, SHIFTS):
            return change.place or "call"
        told = _is_shared(reading, node, change) or promotion.may_promote(node, change, added)
        return (change.place or "call") if told else ""
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


class Aliases:
    """What all augmented assignments of a source change."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.heap = reading, Heap(reading)
        # What functions of other files do.
        self.functions = Functions()
        self.sharing = Sharing(reading)
        self.changes: dict[ast.AST, Change] = {}
        self.inner: list[tuple[Any, Holders]] = []
        for made in reading.callees.values():
            self.heap.functions.update((one.node, one) for one in callees(made))
        for _ in range(_ROUNDS):
            self.heap.grown = False
            self.changes.clear()
            self.sharing.clear()
            self._round()
            if not self.heap.grown:
                break

    def _round(self) -> None:
        self.inner = []
        module = Holders(self, self.reading.source.tree, None)
        module.block(self.reading.source.tree.body)
        for node, outer in self.inner:
            self._function(node, outer)

    def _function(self, node: Any, outer: Holders) -> None:
        here = Holders(self, node, outer)
        spec = node.args
        for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs):
            found = self.reading.values.get(one)
            where = Parameter(node, one.arg)
            here.bind(one.arg, self.heap.filled(Origin(where, kind_of(found), held=True), found))
        for rest in (spec.vararg, spec.kwarg):
            if rest is not None:
                where = Parameter(node, rest.arg)
                made = self.heap.functions.get(node)
                if made is None or not is_closed(made):
                    inner = frozenset({Origin(("open", where), held=True)})
                    self.heap.put([Origin(where, "container")], ANY, inner)
                here.bind(rest.arg, frozenset({Origin(where, "container", held=True)}))
        here.block(node.body)


# Lists in lists in arguments: more rounds find hardly anything.
_ROUNDS = 4
