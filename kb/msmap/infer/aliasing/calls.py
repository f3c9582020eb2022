"""Which objects calls give: new ones, what they were given, views of it, or what others hold."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap.infer.aliasing import sharing
from msmap.infer.aliasing.first_layers import FUNCTIONS, LAYERS, is_in_place
from msmap.infer.aliasing.heap import (
    ANY,
    NOTHING,
    OTHER,
    Origin,
    Origins,
    Parameter,
    arguments,
    callees,
    hold,
    kind_of,
    view,
)
from msmap.infer.effects import VIEWS, WHOLE
from msmap.infer.values.lattice import Class, Function, Items, Value, is_tensor
from msmap.names import in_place

if TYPE_CHECKING:
    from msmap.infer.aliasing.points_to import Holders

# What gives its tensor itself where there is nothing to do.
_MAYBE_SAME = frozenset(
    ("to", "float", "half", "double", "bfloat16", "int", "long", "short", "bool", "byte", "char",
     "contiguous", "cpu", "cuda", "npu", "type", "type_as", "as_tensor", "asarray", "positive",
     "resolve_conj", "resolve_neg", "Identity")
)  # fmt: skip
# What makes one out of another that keeps its memory.
_SHARING = frozenset(("from_numpy", "Parameter", "numpy"))
_OWN = frozenset(("parameters", "buffers"))
_NAMED = frozenset(("named_parameters", "named_buffers"))
# Python's functions that give what they go over, one by one; and what gives no tensor.
_OVER = frozenset(("reversed", "sorted", "iter", "list", "tuple", "set", "frozenset"))
_PLAIN = frozenset(
    ("len", "int", "float", "str", "bool", "range", "repr", "type", "isinstance", "hasattr", "id",
     "format", "print", "open", "round", "ord", "chr", "any", "all", "input", "hash", "callable")
)  # fmt: skip
# What containers take in, by the place of the argument.
_STORING = {"append": 0, "add": 0, "insert": 1, "setdefault": 1, "appendleft": 0}
_GIVING = frozenset(("get", "pop", "popleft", "setdefault", "copy", "values"))


def result(here: Holders, node: ast.Call) -> Origins:
    """The objects that a call may give."""
    function = node.func
    on = here.eval(function.value) if isinstance(function, ast.Attribute) else NOTHING
    given = [
        here.heap.get(here.eval(one.value)) if isinstance(one, ast.Starred) else here.eval(one)
        for one in node.args
    ]
    named = [here.eval(one.value) for one in node.keywords]
    copy = sharing.note(here, node, on, given)
    if copy is not None:
        return copy
    use = here.reading.uses.get(node)
    if use is not None and use.how in ("call", "method", "possible"):
        leaf = function.attr if isinstance(function, ast.Attribute) else ""
        if use.how == "call":
            leaf = use.names[0].rpartition(".")[2]
            on = given[0] if given else next(iter(named), NOTHING)
        if use.how == "possible" and any(one.kind == "container" for one in on):
            return _of_python(here, node, on, given, named)
        if use.names[0] == "torch.nn.Module.state_dict":
            return _tensors(here, node, False, "unknown" if use.how == "possible" else "tensor")
        return _of_torch(here, node, leaf, on, use.how)
    if use is not None and use.how == "layer":
        maker = getattr(use.receiver, "maker", None)
        return _of_layer(here, node, use.names, maker, given)
    ways = callees(here.reading.callees.get(node))
    if ways:
        return _own(here, node, ways)
    return _of_python(here, node, on, given, named)


def _kind(here: Holders, node: ast.AST) -> str:
    return kind_of(here.reading.values.get(node))


def _of_torch(here: Holders, node: ast.Call, leaf: str, on: Origins, how: str) -> Origins:
    """The same of PyTorch's functions and methods; ``on`` is their tensor."""
    kind = _kind(here, node)
    if leaf in _OWN | _NAMED:
        return _tensors(here, node, leaf in _NAMED, "unknown" if how == "possible" else "tensor")
    if leaf in _SHARING:
        here.store(on)
    if kind == "other":
        return sharing.array(here, node, on, leaf) or OTHER
    if in_place(leaf) or leaf in WHOLE:
        function = node.func
        if isinstance(function, ast.Attribute) and in_place(leaf):
            here.all.sharing.changed(here, node, on, function.value)
            if how == "method":
                name = function.value.id if isinstance(function.value, ast.Name) else None
                here.note(node, on, name)
        return on
    at = FUNCTIONS[leaf] + 1 if leaf in FUNCTIONS else None
    if leaf in _MAYBE_SAME or is_in_place(node, at) or "dropout" in leaf:
        return on | here.new(node, "tensor" if how != "possible" else kind)
    if leaf in VIEWS:
        if kind != "container":
            return view(on)
        made = here.new(node, "container")
        here.heap.put(made, ANY, view(on))
        return made
    if leaf in _SHARING:
        return hold(here.new(node, "tensor"))
    return _new(here, node)


def _new(here: Holders, node: ast.Call) -> Origins:
    """What a call makes: what is in it is new as well."""
    (made,) = here.new(node, _kind(here, node))
    return _with_new(here, made, here.reading.values.get(node))


def _with_new(here: Holders, made: Origin, value: Value | None) -> Origins:
    """A container of what is made with it."""
    if not isinstance(value, Items):
        return here.heap.filled(made, value)
    if is_tensor(value.element):
        here.heap.fresh[made.where] = "tensor"
        return frozenset({made})
    if value.values is None:
        return here.heap.filled(made, value)
    for number, one in enumerate(value.values):
        inner = Origin((made.where, number), kind_of(one))
        here.heap.put_one(made.where, number, _with_new(here, inner, one))
    return frozenset({made})


def _tensors(here: Holders, node: ast.Call, named: bool, kind: str) -> Origins:
    """A module's own tensors, with their names or without."""
    made = here.new(node, "container")
    own = frozenset({Origin("parameter", kind, held=True)})
    if named:
        row = frozenset({Origin((node, "row"), "container")})
        here.heap.put(row, 0, OTHER)
        here.heap.put(row, 1, own)
        own = row
    here.heap.put(made, ANY, own)
    return made


def _of_layer(
    here: Holders, node: ast.Call, names: tuple[str, ...], maker: object, given: list[Origins]
) -> Origins:
    made = _new(here, node)
    first = given[0] if given else NOTHING
    leaves = {name.rpartition(".")[2] for name in names}
    at = LAYERS.get(next(iter(leaves), ""))
    if leaves <= LAYERS.keys() and isinstance(maker, ast.Call) and is_in_place(maker, at):
        # It changes its input, and gives that.
        return first or made
    if any("Dropout" in leaf or leaf == "Identity" for leaf in leaves):
        return made | first
    if leaves & {"Flatten", "Unflatten"}:
        return view(first) | made
    return made


def _own(here: Holders, node: ast.Call, ways: list[Function]) -> Origins:
    """The same of functions of the source, by what this call passes."""
    found: set[Origin] = set()
    for made in ways:
        passed = arguments(here.heap, made, node, here.eval)
        for name, origins in passed.items():
            here.heap.add(here.heap.passed, Parameter(made.node, name), origins)
            here.store(frozenset(x for x in origins if x.kind == "container"))
        if made.home is not here.reading:
            here.store(NOTHING.union(*passed.values()))
            found |= _foreign(here, node, made, passed)
            continue
        if isinstance(made.node, ast.Lambda):
            found |= _unknown(here, node, "call")
            continue
        for one in here.heap.results.get(made.node, NOTHING):
            where = one.where
            if isinstance(where, Parameter) and where.function is made.node:
                inner = passed.get(where.name, frozenset({one}))
                found |= {replace(x, place=one.place or x.place) for x in inner}
            elif one.held or isinstance(where, tuple) or one.kind == "container":
                found.add(one)
            else:
                found |= here.new(node, one.kind)
    if isinstance(here.reading.callees.get(node), Class):
        here.store(NOTHING.union(*map(here.eval, node.args)))
        return OTHER
    if not found and _kind(here, node) != "other":
        return _new(here, node)
    return frozenset(found) or OTHER


def _foreign(
    here: Holders, node: ast.Call, made: Function, passed: Mapping[str, Origins]
) -> Origins:
    """The same of a function of another file: it may give back what it takes."""
    summary = here.all.functions.of(made)
    if summary is None:
        return _unknown(here, node, "call")
    found = NOTHING
    for name in summary.given:
        given = passed.get(name, NOTHING)
        found |= hold(view(given) if name in summary.viewed else given)
    return found if found and not summary.makes else found | _unknown(here, node, "call")


def _unknown(here: Holders, node: ast.Call, how: str) -> Origins:
    kind = _kind(here, node)
    if kind == "other":
        return OTHER
    where = (how, node) if kind == "container" else (how, "")
    return here.heap.filled(Origin(where, kind, held=True), here.reading.values.get(node))


def _of_python(
    here: Holders, node: ast.Call, on: Origins, given: list[Origins], named: list[Origins]
) -> Origins:
    """The same of Python's functions, methods of containers, and what nothing is known of."""
    function = node.func
    leaf = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    heap = here.heap
    first = given[0] if given else NOTHING
    if isinstance(function, ast.Name) and leaf not in here.state:
        if leaf in _PLAIN:
            return OTHER
        if leaf in ("zip", "enumerate"):
            return _rows(here, node, leaf, given)
        if leaf in _OVER:
            made = here.new(node, "container")
            heap.put(made, ANY, heap.get(first))
            return made
        if leaf == "next":
            return heap.get(first)
        if leaf in ("max", "min"):
            return heap.get(first) if len(given) == 1 else NOTHING.union(*given)
        if leaf in ("sum", "abs", "pow", "divmod"):
            return here.combined(node, heap.get(first) if leaf == "sum" else first, OTHER)
        if leaf == "vars":
            return attributes(here, node)
        if leaf == "setattr" and len(given) == 3:
            heap.add(heap.set_by_name, _text(node.args[1]), hold(given[2]))
        if leaf == "getattr" and len(given) > 1:
            name = _text(node.args[1])
            return hold(heap.named(name) | _unknown(here, node, "call"))
        if leaf == "dict":
            made = here.new(node, "container")
            for one in named:
                heap.put(made, ANY, one)
                here.store(one)
            return made
    if isinstance(function, ast.Attribute):
        if in_place(leaf) or leaf in sharing.WRITING:
            here.all.sharing.changed(here, node, on, function.value)
        containers = [one for one in on if one.kind in ("container", "unknown")]
        if leaf in _STORING and containers:
            one = given[_STORING[leaf]] if len(given) > _STORING[leaf] else NOTHING
            heap.put(containers, ANY, one)
            here.store(one)
        elif leaf in ("extend", "update") and containers:
            heap.put(containers, ANY, heap.get(first))
        if leaf in _OWN | _NAMED and containers:
            return _tensors(here, node, leaf in _NAMED, "unknown")
        known = any(one.kind == "container" for one in on)
        if leaf == "items" and (known or containers):
            return _items(here, node, on)
        if leaf in _GIVING and known:
            return on if leaf in ("copy", "values") else heap.get(on)
        if leaf == "values" and containers:
            return on
        if containers and leaf in VIEWS | WHOLE:
            return view(on) if leaf in VIEWS else on
        if containers and (in_place(leaf) or leaf in _MAYBE_SAME):
            return on
    for one in (*given, *named):
        # Arrays are computed with, rather than kept.
        here.store(frozenset(x for x in one if x.kind != "other"))
    made = sharing.array(here, node, on, leaf) or _unknown(here, node, "call")
    if {one.kind for one in made} != {"unknown"}:
        return made
    # What nothing is known of may give back what it takes.
    tensors = [one for one in NOTHING.union(*given, *named) if one.kind == "tensor"]
    return made | hold(one for one in tensors if one.held or sharing.is_held(here, one, node))


def _text(node: ast.expr) -> str:
    """A name as a text; "" if it isn't written as such."""
    return str(node.value) if isinstance(node, ast.Constant) else ""


def attributes(here: Holders, node: ast.expr) -> Origins:
    """All attributes of an object, by their names."""
    made = here.new(node, "container")
    for name, found in here.heap.fields.items():
        here.heap.put(made, name, found)
    return made


def _rows(here: Holders, node: ast.Call, leaf: str, given: list[Origins]) -> Origins:
    heap, made = here.heap, here.new(node, "container")
    row = frozenset({Origin((node, "row"), "container")})
    parts = [heap.get(one) for one in given]
    if leaf == "enumerate":
        parts = [OTHER, *parts[:1]]
    for number, one in enumerate(parts):
        heap.put(row, number, one)
    heap.put(made, ANY, row)
    return made


def _items(here: Holders, node: ast.Call, on: Origins) -> Origins:
    heap, made = here.heap, here.new(node, "container")
    row = frozenset({Origin((node, "row"), "container")})
    heap.put(row, 0, OTHER)
    heap.put(row, 1, heap.get(on))
    heap.put(made, ANY, row)
    return made
