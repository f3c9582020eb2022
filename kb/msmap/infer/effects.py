"""Views of tensors in users' code: which names hold one, and what is written through it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msmap.infer import operators
from msmap.infer.iteration import iterated
from msmap.infer.values.lattice import CONTAINER, Items, Keyed, Mapped, Value, is_tensor
from msmap.names import in_place

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# Methods that give what shares the memory of what they are called on.
VIEWS = frozenset(
    ("T", "H", "mT", "mH", "data", "t", "transpose", "permute", "view", "view_as", "reshape",
     "narrow", "select", "diagonal", "squeeze", "unsqueeze", "swapaxes", "movedim", "expand",
     "detach", "flatten", "unbind", "chunk", "split", "swapdims", "moveaxis", "ravel", "unflatten",
     "unfold", "expand_as", "broadcast_to", "reshape_as", "adjoint", "as_strided", "tensor_split",
     "hsplit", "vsplit", "dsplit", "real", "imag", "view_as_real", "view_as_complex")
)  # fmt: skip
# What gives all of a tensor as it lies there.
WHOLE = frozenset(("data", "detach", "contiguous", "requires_grad_"))
# What goes over others, and gives their elements beside something else.
_PARAMETERS = frozenset({"parameters", "named_parameters"})
_OVER = ("enumerate", "zip", "reversed", "iter", "list", "tuple")


_NOBODY: Mapping[str, str] = MappingProxyType({})


def written(reading: Reading, node: ast.Call) -> None:
    """A method is called that changes its tensor: what that is a part of is kept in mind."""
    use = reading.uses.get(node)
    if use is not None and use.how == "method":
        assert isinstance(node.func, ast.Attribute)
        use.seen = place(reading, node.func.value)
        changed(reading, node.func.value)


def assigned(reading: Reading, target: ast.Subscript, base: Value) -> None:
    """Items of a tensor are set: of a view, not all ways of it reach what it is a view of."""
    if not is_tensor(base):
        return
    changed(reading, target.value, by_item=True)
    if isinstance(target.value, ast.Subscript):
        _selected(reading, target.value)
    alone = target.slice
    # All of it, or all with an axis more.
    reaches = not (isinstance(alone, ast.Constant) and alone.value in (None, ...))
    if place(reading, target.value) == "view" and not (reaches and _is_basic(reading, target)):
        reading.note_operator(target, ("__setitem__",), base, "view")


def changed(reading: Reading, node: ast.expr, by_item: bool = False) -> None:
    """What a name or an attribute holds is changed: what made it is told, if it is a view.

    ``by_item`` says that an item of it is set.
    """
    made: ast.expr | None = node
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        made = reading.scope.makers.get(node.id)
    elif isinstance(node, ast.Attribute):
        made = reading.viewed.get(node.attr)
    while made is not node and isinstance(made, ast.Subscript | ast.Attribute | ast.Call):
        if made in reading.changed or not origin(made):
            return
        reading.changed.add(made)
        if isinstance(made, ast.Subscript) and by_item:
            _selected(reading, made)
        before = reading.viewed.get(made)
        made = before or (made.func if isinstance(made, ast.Call) else made.value)
        if isinstance(made, ast.Name):
            changed(reading, made, by_item)


def _selected(reading: Reading, node: ast.Subscript) -> None:
    """What an index tensor or a mask selects is new in PyTorch."""
    with reading.silent(reading.scope):
        base = reading.peek(node.value)
    if is_tensor(base) and not _is_basic(reading, node):
        reading.note_operator(node, ("__getitem__",), base, "written")


def hold(reading: Reading, targets: Sequence[ast.expr], node: ast.expr, found: Value) -> None:
    """Names get the value of an expression: who else may refer to it is kept in mind."""
    held, makers = reading.scope.held, reading.scope.makers
    holds = is_tensor(found) or (found.__class__ is Items and is_tensor(iterated(found)))
    seen = origin(node, held) if holds else ""
    if seen == "part" and isinstance(node, ast.Subscript):
        seen = _of_item(reading, node)
    if seen == "shared" and isinstance(node, ast.Name):
        held[node.id] = seen
    elif seen in ("view", "part") and (root := _root(node)):
        held.setdefault(root, "shared")
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            hold(reading, target.elts, node, found)
        elif isinstance(target, ast.Attribute) and seen in ("view", "part"):
            reading.viewed[target.attr] = node
        elif isinstance(target, ast.Name):
            before = makers.pop(target.id, None)
            if holds and node.__class__ is not ast.Name:
                makers[target.id] = node
                if before is not None and before is not node and _root(node) == target.id:
                    reading.viewed[node] = before
            if seen:
                held[target.id] = seen
            else:
                held.pop(target.id, None)


def each(reading: Reading, target: ast.expr, over: ast.expr, found: Value) -> None:
    """Names get one element after the other: those of a tensor are parts of it."""
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id in _OVER:
        targets = [target]
        if over.func.id in ("enumerate", "zip"):
            targets = list(target.elts) if isinstance(target, ast.Tuple | ast.List) else []
            targets = targets[1:] if over.func.id == "enumerate" else targets
        for one, part in zip(targets, over.args, strict=False):
            with reading.silent(reading.scope):
                within = reading.peek(part)
            each(reading, one, part, within)
        return
    held = reading.scope.held
    is_part = is_tensor(found) or origin(over, held) in ("view", "part")
    seen = "part" if is_part else _of_network(over)
    for name in [target, *getattr(target, "elts", ())]:
        if isinstance(name, ast.Name):
            held[name.id] = seen
            reading.scope.makers[name.id] = over


def _of_network(over: ast.expr) -> str:
    """Whether elements are a network's own: "parameter" if so, "shared" if not."""
    made = isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute)
    return "parameter" if made and over.func.attr in _PARAMETERS else "shared"  # type: ignore[attr-defined]


def origin(node: ast.expr, held: Mapping[str, str] = _NOBODY) -> str:
    """Whether an expression gives what others hold, "shared", a view of it, "view", or neither.

    A "part" is a view too, by an index.
    """
    node = _whole(node)
    if isinstance(node, ast.Call):
        function = node.func
        return "view" if isinstance(function, ast.Attribute) and function.attr in VIEWS else ""
    if isinstance(node, ast.Subscript):
        on = node.value
        return "view" if isinstance(on, ast.Name) and held.get(on.id) == "view" else "part"
    if isinstance(node, ast.Attribute):
        return "view" if node.attr in VIEWS else "shared"
    if isinstance(node, ast.Name):
        return held.get(node.id, "shared")
    return ""


def _of_item(reading: Reading, node: ast.Subscript) -> str:
    """The same of an item: by an index tensor it is new, and a container's is shared."""
    with reading.silent(reading.scope):
        base = reading.peek(node.value)
    if not is_tensor(base):
        return "shared"
    return "part" if _is_basic(reading, node) else ""


def _whole(node: ast.expr) -> ast.expr:
    """What something is all of: ``x.data`` and ``x.add_(1)`` are as good as ``x``."""
    while True:
        inner = node.func if isinstance(node, ast.Call) else node
        if not isinstance(inner, ast.Attribute):
            return node
        if inner.attr not in WHOLE and not (inner is not node and changes_in_place(node)):
            return node
        node = inner.value


def changes_in_place(node: ast.expr) -> bool:
    """Whether a call is named like one that changes its object and gives it back."""
    name = getattr(node.func, "attr", "") if isinstance(node, ast.Call) else ""
    return in_place(name)


def _root(node: ast.expr) -> str:
    """The name that a view is one of; "" if it has none."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def place(reading: Reading, node: ast.expr) -> str:
    """What is written to: a "view" or "part" of another tensor, an "item" of others, or "".

    An index that is no number or slice gives a tensor of its own in PyTorch: it is "".
    """
    node = _whole(node)
    if isinstance(node, ast.Name):
        seen = reading.scope.held.get(node.id, "")
        return seen if seen in ("view", "part") else ""
    if isinstance(node, ast.Subscript):
        with reading.silent(reading.scope):
            base = reading.peek(node.value)
        if is_tensor(base):
            return "part" if _is_basic(reading, node) else ""
        if place(reading, node.value):
            return "view"
        return "item" if base.__class__ in (Items, Keyed, Mapped) or base is CONTAINER else ""
    if isinstance(node, ast.Attribute):
        return "view" if node.attr in VIEWS or node.attr in reading.viewed else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return "view" if node.func.attr in VIEWS else ""
    return ""


def _is_basic(reading: Reading, node: ast.Subscript) -> bool:
    """Whether an index takes numbers and slices alone."""
    index = node.slice
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(
        (isinstance(part, ast.Constant) and part.value.__class__ is not bool)
        or operators.index_kind(reading, part) in ("slice", "number")
        for part in parts
    )
