"""Memory that a copy shares in MindSpore and not in PyTorch, or the other way round.

``copy.deepcopy`` of a tensor shares its memory in MindSpore; ``nn.Parameter``, ``copy.copy``, and
``numpy`` of a view copy it. That matters where either side is changed in place afterwards.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from msmap.code.tree import children
from msmap.infer import liveness
from msmap.infer.aliasing import likely
from msmap.infer.aliasing.heap import NOTHING, OTHER, Item, Origin, Origins, Parameter, hold, maker
from msmap.infer.effects import VIEWS, WHOLE
from msmap.infer.values.lattice import ARRAY, UNKNOWN, Object, Value, is_tensor

if TYPE_CHECKING:
    from msmap.infer.aliasing.points_to import Holders
    from msmap.infer.interpreter import Reading
    from msmap.infer.uses import Use

# A source without any of these makes no copy that matters.
SAID = ("deepcopy(", "copy.copy(", "Parameter(", "numpy(", "as_tensor(", "asarray(", "Tensor(")
# What takes an array, which PyTorch shares and MindSpore copies.
_OF_ARRAY = frozenset(
    ("as_tensor", "asarray", "Tensor", "FloatTensor", "DoubleTensor", "LongTensor", "IntTensor")
)
# Methods that change an array.
WRITING = frozenset(("fill", "sort", "partition", "put", "itemset", "resize", "byteswap"))
# Methods and attributes that give views of an array.
STRIDED = frozenset(("T", "transpose", "swapaxes", "diagonal"))
ARRAY_VIEWS = STRIDED | {"reshape", "ravel", "squeeze", "view"}
# So many containers are followed one inside the other.
_DEEP = 3
_SHARED, _COPIED = "shared", "copied"


@dataclass(frozen=True, slots=True)
class Copy:
    """A call whose result shares memory with its argument in one of the frameworks.

    Attributes:
        node: the call.
        how: "shared" if MindSpore's shares and PyTorch's copies, "copied" the other way round.
        source: what it is made of.
        live: whether anything else refers to that, or will read it.
        home: the function that it stands in.
    """

    node: ast.Call
    how: str
    source: frozenset[object]
    live: bool
    home: ast.AST


class Sharing:
    """The copies and the changes in place of a source, in the order of the code."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.copies: dict[ast.Call, Copy] = {}
        self.objects: dict[ast.Call, set[str]] = {}
        # The changes in place, and the attributes that were changed.
        self.changes: list[tuple[ast.AST, ast.AST, frozenset[object]]] = []
        self.attributes: set[str] = set()
        # The augmented assignments to items of tensors, which MindSpore changes too.
        self.items: set[ast.AST] = set()
        self.lives: dict[ast.AST, liveness.Live] = {}
        self.conflicts: list[tuple[Copy, ast.AST]] = []

    def clear(self) -> None:
        """Forget all, before another round."""
        self.copies.clear()
        self.changes.clear()
        self.conflicts.clear()

    def copied(self, here: Holders, node: ast.Call, source: Origins, how: str) -> None:
        """A call copies its argument in one framework."""
        roots = _roots(here, source)
        if not roots:
            return
        live = any(one.held or is_held(here, one, node) for one in source)
        self.copies[node] = Copy(node, how, roots, live, here.node)

    def changed(self, here: Holders, node: ast.AST, found: Origins, target: ast.expr) -> None:
        """Something is changed in place."""
        while isinstance(target, ast.Subscript) or (
            isinstance(target, ast.Attribute) and target.attr in WHOLE
        ):
            target = target.value
        if isinstance(target, ast.Attribute):
            self.attributes.add(target.attr)
        roots = _roots(here, found)
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript):
            base = here.eval(node.target.value)
            if here.kinds(base) == {"tensor"}:
                self.items.add(node)
        if roots:
            self.changes.append((here.node, node, roots))
            for one in self.copies.values():
                self._check(one, node, roots, here)

    def _check(
        self, one: Copy, node: ast.AST, roots: frozenset[object], here: Holders | None = None
    ) -> None:
        """Note a change of one side, if the other one is read later."""
        if one.node in roots:
            matters = one.live
        else:
            matters = bool(roots & one.source) and (here is None or self._is_alive(here, one))
        if matters:
            self.conflicts.append((one, node))

    def _is_alive(self, here: Holders, one: Copy) -> bool:
        """Whether what a call gave is held, or will be read."""
        if here.node is not one.home or here.statement is None:
            return True
        if here.node not in self.lives:
            functions = self.reading.source.all(ast.FunctionDef)
            outside = liveness.reads(*functions) if isinstance(here.node, ast.Module) else set()
            body = getattr(here.node, "body", [])
            self.lives[here.node] = liveness.Live(body, outside)
        after = self.lives[here.node].after(here.statement)
        return any(
            not name or name in after
            for name, found in here.state.items()
            if any(maker(x.where) is one.node for x in found)
        )

    def _is_rebound(self, one: Copy, node: ast.AST) -> bool:
        """Whether only a name or an item is bound anew in the port, which changes no memory."""
        return (
            one.how == _SHARED and isinstance(node, ast.AugAssign)
            and node not in self.reading.uses and node not in self.items
        )  # fmt: skip

    def finish(self) -> dict[ast.Call, str]:
        """What copies matter, and how: what runs in other functions may run at any time."""
        for one in self.copies.values():
            for home, node, roots in self.changes:
                if home is not one.home:
                    self._check(one, node, roots)
        found = {
            one.node: one.how for one, node in self.conflicts if not self._is_rebound(one, node)
        }
        for call, names in self.objects.items():
            if names & self.attributes:
                found[call] = _SHARED
        return found


def _roots(here: Holders, found: Origins) -> frozenset[object]:
    """The objects that something is, or is a part of."""
    roots: set[object] = set()
    heap = here.heap
    every = found | heap.resolved(found)
    for one in every:
        where = _base(one)
        if isinstance(where, tuple) and where[0] == "attribute":
            # What it was set to.
            every |= heap.resolved(heap.fields.get(where[1], NOTHING))
    for one in every:
        where = _base(one)
        if isinstance(where, tuple) and isinstance(where[0], ast.AST):
            where = where[0]
        if isinstance(where, ast.AST | Parameter) or (
            isinstance(where, tuple) and where[0] in ("attribute", "global")
        ):
            roots.add(where)
    return frozenset(roots)


def _base(one: Origin) -> object:
    """What an object is, or what it is an item of."""
    where = one.where
    while isinstance(where, Item):
        where = where.of.where
    return where


def written(here: Holders, node: ast.stmt, found: Origins, target: ast.expr) -> None:
    """A statement changes in place what may be a tensor or an array."""
    index = target.slice if isinstance(target, ast.Subscript) else None
    is_number = isinstance(node, ast.AugAssign) and likely.is_number(node.value)
    if is_number or isinstance(node, ast.Assign | ast.AnnAssign):
        is_part = isinstance(index, ast.Slice | ast.Tuple)
        kinds = {"tensor", "other", "unknown"} if is_part else {"tensor", "other"}
        found = frozenset(one for one in found if kinds & here.kinds(frozenset({one})))
    if found - OTHER:
        here.all.sharing.changed(here, node, found, target)


def note(here: Holders, node: ast.Call, on: Origins, given: list[Origins]) -> Origins | None:
    """What a call that copies gives; None of any other."""
    use = here.reading.uses.get(node)
    if use is not None:
        _of_torch(here, node, use, on, given)
        return None
    if not node.args or node in here.reading.callees:
        return None
    function = node.func
    leaf = getattr(function, "attr", "") or getattr(function, "id", "")
    if leaf == "copy" and getattr(getattr(function, "value", None), "id", "") == "copy":
        tensors = _tensors(here, given[0])
        here.all.sharing.copied(here, node, tensors, _COPIED)
        return hold(here.new(node, "tensor")) if tensors else None
    return _deep(here, node, given[0]) if leaf == "deepcopy" else None


def _of_torch(here: Holders, node: ast.Call, use: Use, on: Origins, given: list[Origins]) -> None:
    """Note a copy by one of PyTorch's functions or methods."""
    leaf, copied = use.names[0].rpartition(".")[2], here.all.sharing.copied
    if use.how == "method" and leaf == "numpy" and any(one.place for one in on):
        copied(here, node, on, _COPIED)
    if use.how not in ("call", "method") or not node.args:
        return
    argument, first = node.args[0], given[0]
    if leaf == "Parameter" and _is_kept(argument):
        copied(here, node, _tensors(here, first), _COPIED)
    elif _is_of_array(leaf, node, first):
        copied(here, node, first, _COPIED)
    elif leaf in ("tensor", "new_tensor") and not is_tensor(
        here.reading.given.get(argument, UNKNOWN)
    ):
        # What is proved to be a tensor is written as a copy.
        copied(here, node, _tensors(here, first), _SHARED)


def _is_of_array(leaf: str, node: ast.Call, first: Origins) -> bool:
    """Whether a call shares the memory of an array in PyTorch, and copies it in MindSpore."""
    if leaf == "from_numpy":
        return any(one.place == "view" for one in first)
    is_alone = len(node.args) == 1 and not node.keywords
    return leaf in _OF_ARRAY and is_alone and bool(arrays(first))


def _deep(here: Holders, node: ast.Call, first: Origins) -> Origins | None:
    """What ``deepcopy`` gives of a tensor, of a container, or of what may be one."""
    value = here.reading.values.get(node)
    if names := _fields(value):
        here.all.sharing.objects[node] = names
        return None
    if value is not None and is_tensor(value):
        # Written as a copy.
        return here.new(node, "tensor")
    kinds = here.kinds(first)
    if kinds <= {"other"}:
        return None
    source = inner = first
    for _ in range(_DEEP):
        inner = here.heap.get(inner)
        source |= inner
    here.all.sharing.copied(here, node, source, _SHARED)
    if kinds != {"container"}:
        return here.new(node, "unknown")
    is_tensors = here.kinds(here.heap.get(first)) == {"tensor"}
    here.heap.fresh[node] = "tensor" if is_tensors else "unknown"
    return here.new(node, "container")


def _tensors(here: Holders, found: Origins) -> Origins:
    """Those that are tensors, by what is known of the calls too."""
    return frozenset(one for one in found if "tensor" in here.kinds(frozenset({one})))


def arrays(found: Origins) -> Origins:
    """Those that are arrays, and the numbers and other things that parameters hold."""
    return frozenset(one for one in found if one.kind == "other") - OTHER


def is_held(here: Holders, one: Origin, node: ast.AST) -> bool:
    """Whether a name that is read after a statement stands for an object."""
    return any(
        here.is_read(name, node) and any(x.where == one.where for x in found)
        for name, found in here.state.items()
    )


def selects(parts: list[ast.expr]) -> bool:
    """Whether an index is written as a list, a mask or a boolean: what it selects is new."""
    return any(
        isinstance(one, ast.List | ast.Compare)
        or (isinstance(one, ast.Constant) and isinstance(one.value, bool))
        for one in parts
    )


def item(node: ast.Subscript, found: Origins) -> Origins:
    """A part of an array: what an array of indices selects is new."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not all(isinstance(one, ast.Slice | ast.Constant | ast.UnaryOp) for one in parts):
        return frozenset({Origin(node, "other")})
    place = "view" if isinstance(node.slice, ast.Tuple) else ""
    return frozenset(replace(one, place=one.place or place) for one in found)


def _is_kept(node: ast.expr) -> bool:
    """Whether an argument is what something else may hold."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in VIEWS
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript)


def _fields(value: Value | None) -> set[str]:
    """The attributes of an own object that hold no parameters and no layers."""
    if not isinstance(value, Object):
        return set()
    found: set[str] = set()
    for entry in value.entry.lineage:
        ahead: list[ast.AST] = [entry.node]
        for one in ahead:
            ahead += children(one)
            if isinstance(one, ast.Assign) and not _is_parameter(one.value):
                found |= {x.attr for x in one.targets if isinstance(x, ast.Attribute)}
            if isinstance(one, ast.Call) and getattr(one.func, "attr", "") == "register_buffer":
                first = one.args[0] if one.args else None
                found |= {str(first.value)} if isinstance(first, ast.Constant) else set()
    return found


def _is_parameter(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and "Parameter" in (
        getattr(node.func, "attr", "") or getattr(node.func, "id", "")
    )


def array(here: Holders, node: ast.expr, on: Origins, leaf: str) -> Origins | None:
    """An array that an expression gives, or a view of one; None of anything else."""
    if here.reading.values.get(node) is ARRAY or leaf in ARRAY_VIEWS:
        base = arrays(on)
        if base and leaf in ARRAY_VIEWS:
            place = "view" if leaf in STRIDED else ""
            return frozenset(Origin(x.where, "other", x.place or place, x.held) for x in base)
        if isinstance(node, ast.Call) and here.reading.values.get(node) is ARRAY:
            return frozenset({Origin(node, "other")})
    return None
