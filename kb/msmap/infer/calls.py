"""What calls and members of objects in users' code give, and which of PyTorch's they use."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap import npu
from msmap.infer import (
    call_graph,
    children,
    effects,
    float64,
    formatting,
    infinities,
    narrowing,
    operators,
    usual_names,
)
from msmap.infer.values import builtin, containers, torch
from msmap.infer.values.builtin import arguments
from msmap.infer.values.classes import has_constructor, is_straight, set_past_its_class
from msmap.infer.values.lattice import (
    ARRAY,
    BASES,
    DTYPE,
    FILE,
    LISTS,
    NUMPY,
    OTHER,
    OTHERS,
    PLAIN,
    RENAMED,
    STREAMS,
    TENSOR,
    UNKNOWN,
    Builtin,
    Class,
    Function,
    Giving,
    Instance,
    Items,
    Keyed,
    Mapped,
    Members,
    Method,
    Object,
    Path,
    Several,
    Value,
    instance,
    is_tensor,
    joined,
    optional,
    settled,
    shared,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


def call(reading: Reading, node: ast.Call) -> Value:
    """What a call gives; what it uses of PyTorch's is noted."""
    function = node.func
    if function.__class__ is ast.Attribute:
        found = _dotted(reading, node, function)
    else:
        found = reading.head(function)
        if found.__class__ is Path and function.__class__ is ast.Name:
            reading.note_call(node, found.name)
        found = apply(reading, node, found)
    if reading.follows and not reading.quiet:
        reading.values[node] = found
    return found


def _dotted(reading: Reading, node: ast.Call, function: ast.Attribute) -> Value:
    base = reading.head(function.value)
    if base.__class__ is Path and usual_names.is_scheduler(function, reading.is_bound):
        base = instance("scheduler", "", False, True)
    kind = base.__class__
    name = function.attr
    if name == "__setattr__":
        set_past_its_class(reading, node)
    elif name == "apply":
        call_graph.applied(reading, node, base)
    if kind is Instance:
        if base.owner not in ("tensor", "size"):  # type: ignore[attr-defined]
            # It may be of an own class that comes from this one.
            reading.loose.add(name)
        reading.note_called(node, base)  # type: ignore[arg-type]
        if base.owner == "tensor" and name[-1] == "_":  # type: ignore[attr-defined]
            effects.written(reading, node)
        found = _method(reading, node, base, name)  # type: ignore[arg-type]
    elif kind is Path:
        found = apply(reading, node, _path(reading, node, function, base.name))  # type: ignore[attr-defined]
    elif kind is Object:
        children.registered(reading, node, function, base)  # type: ignore[arg-type]
        member = own_member(reading, function, base, node)  # type: ignore[arg-type]
        # What an earlier run wrote behind a model gives that.
        found = base if member is UNKNOWN and name == _WRITTEN else apply(reading, node, member)
        if name == "to":
            reading.given.update((part, reading.peek(part)) for part in node.args[:1])
    elif kind is Class:
        bound = reading.member(base.entry, name)  # type: ignore[attr-defined]
        found = apply(reading, node, UNKNOWN if bound is None else shared(bound))
    elif kind is Items:
        found = containers.method_of_items(reading, function, base, arguments(reading, node)[0])  # type: ignore[arg-type]
    elif kind is Keyed:
        given, _, _ = arguments(reading, node)
        found = containers.method_of_keyed(reading, node, function, base, given)  # type: ignore[arg-type]
    elif kind is Mapped:
        found = containers.method_of_mapped(name, base, arguments(reading, node)[0])  # type: ignore[arg-type]
    elif isinstance(base, Members):
        inner = base.member(name)
        if inner.__class__ is Path:
            reading.note_call(node, inner.name)
        found = apply(reading, node, inner)
    else:
        reading.loose.add(name)
        if base is UNKNOWN or kind is Giving:
            reading.note_possible(node)
        given, by_name, starred = arguments(reading, node)
        if name == "setattr":
            reading.replaced.called(node, given)
        if name == "format" and base is PLAIN and not starred:
            formatting.called(reading, node, function.value, given, by_name)
        found = _of_others(base, name)
    return found


_INIT, _WRITTEN = "__init__", "set_train"
_FORWARD = f"{BASES['module']}.forward"


def _of_others(base: Value, name: str) -> Value:
    """What a method gives of what is not PyTorch's."""
    if base is PLAIN:
        return PLAIN if name not in ("split", "rsplit", "splitlines") else Items(None, PLAIN)
    if base in (NUMPY, ARRAY):
        return ARRAY if base is NUMPY or name not in ("item", "tolist") else OTHER
    return OTHER if base in (OTHER, DTYPE, FILE) else FILE if base is STREAMS else UNKNOWN


def _path(reading: Reading, node: ast.Call, function: ast.Attribute, before: str) -> Value:
    full = f"{before}.{function.attr}"
    if function.attr == _INIT and has_constructor(reading.canonical(before)):
        reading.note(node, "super", (before,))
        return UNKNOWN
    if reading.canonical(full) is None and reading.kind_of(before) in ("constant", "dtype"):
        reading.note_name(function.value, before)
        return OTHER
    reading.note_call(node, full)
    return Path(full)


# What runs functions of the source.
_OWN = (Function, Method, Class, Object, Several)


def apply(reading: Reading, node: ast.Call, function: Value) -> Value:
    """What a call of something gives."""
    kind = function.__class__
    if reading.follows and not reading.quiet and kind in _OWN:
        reading.callees[node] = function
    if kind is Path:
        return _torch(reading, node, function.name)  # type: ignore[attr-defined]
    if kind is Builtin:
        return builtin.called(reading, node, function.name)  # type: ignore[attr-defined]
    if kind is Instance:
        positional, keywords, _ = arguments(reading, node, False)
        positional = [*positional, *keywords.values()]
        reading.note_applied(node, function)  # type: ignore[arg-type]
        if function.owner != "module":  # type: ignore[attr-defined]
            return UNKNOWN
        float64.layer(reading, node, function, positional)  # type: ignore[arg-type]
        made = function.gives  # type: ignore[attr-defined]
        if made is None:
            made = torch.layer(function.classes, positional)  # type: ignore[attr-defined]
        return float64.of_first(made, positional)
    given, by_name, starred = arguments(reading, node)
    if kind is Function or kind is Method or kind is Class:
        if not reading.quiet:
            call_graph.note(function, given, by_name, starred)
        if kind is Class:
            reading.note_made(node, "made", function)  # type: ignore[arg-type]
            reading.note_object(node, function)
            return Object(function.entry)  # type: ignore[attr-defined]
        return call_graph.result(reading, function, given, {} if starred else by_name)
    if kind is Several:
        call_graph.note(function, given, by_name, starred)
        reading.note_object(node, function)
        ways = function.values  # type: ignore[attr-defined]
        return joined(_way(reading, one, given, {} if starred else by_name) for one in ways)
    if kind is Object:
        float64.own(reading, node, function, (*given, *by_name.values()))  # type: ignore[arg-type]
        return _own_call(reading, function)  # type: ignore[arg-type]
    if kind is Giving:
        return function.gives  # type: ignore[attr-defined,no-any-return]
    if function is STREAMS:
        return FILE
    if function is NUMPY:
        return ARRAY
    return function if function in OTHERS else UNKNOWN


def _way(reading: Reading, function: Value, given: list[Value], by_name: dict[str, Value]) -> Value:
    """What a call gives of one of several that may be meant."""
    if isinstance(function, Class):
        return Object(function.entry)
    if isinstance(function, Function):
        return call_graph.result(reading, function, given, by_name)
    if isinstance(function, Giving):
        return function.gives
    name = reading.canonical(function.name) if isinstance(function, Path) else None
    if name is None:
        return UNKNOWN
    if reading.facts.torch_kind(name) == "class":
        return narrowing.made(reading, name)
    return _given(reading, name, given, by_name, given[0] if given else None, False)


def _own_call(reading: Reading, function: Object) -> Value:
    entry = function.entry
    if (own := entry.member("__call__")) is not None:
        return reading.result(own) if isinstance(own, Function) else UNKNOWN
    forward = entry.member("forward")
    if entry.torch_base and isinstance(forward, Function):
        return reading.result(forward)
    if entry.torch_base and forward is None and not entry.is_open:
        return torch.layer([entry.torch_base], [])
    return UNKNOWN


def _torch(reading: Reading, node: ast.Call, spelling: str) -> Value:
    positional, keywords, starred = arguments(reading, node, False)
    name = reading.canonical(spelling)
    if name is None:
        return UNKNOWN
    if name == "torch.autograd.Variable":
        return positional[0] if positional and is_tensor(positional[0]) else TENSOR
    if name in containers.PARTS and not starred:
        return containers.part(reading, name, positional, keywords)
    kind = reading.facts.torch_kind(name)
    if kind == "class":
        found = narrowing.made(reading, name)
        if isinstance(found, Instance) and found.owner == "module":
            return containers.layer(reading, found, node, positional, keywords)
        if isinstance(found, Instance) and found.owner == "loader":
            return containers.loader(reading, found, node, positional, keywords)
        float64.taken(reading, node, (*positional, *keywords.values()))
        return float64.of_first(found, positional)
    receiver = positional[0] if positional else None
    if kind == "method":
        positional = positional[1:]
    if name.startswith("torch.nn.utils.") and isinstance(receiver, Instance | Object):
        # Such as weight_norm: it gives the layer back.
        return receiver if not is_tensor(receiver) else TENSOR
    found = _given(reading, name, positional, _chosen(node, keywords), receiver, starred)
    found = operators.held(reading, node, name, found)
    every = (*positional, *keywords.values())
    found = float64.called(reading, node, name.rpartition(".")[2], found, every)
    if name in _COLLECTIVE and found is UNKNOWN:
        return OTHER
    if not reading.boundless:
        return found
    leaf = name.rpartition(".")[2]
    return infinities.given(reading, node, leaf, found, every)


# What these give, if anything, is waited for in MindSpore as it is in PyTorch.
_COLLECTIVE = frozenset(f"torch.distributed.{name}" for name in (
    "all_gather", "all_gather_into_tensor", "all_reduce", "all_to_all", "all_to_all_single",
    "barrier", "broadcast", "gather", "irecv", "isend", "reduce", "reduce_scatter",
    "reduce_scatter_tensor", "scatter",
))  # fmt: skip


# False is what they are where they are left out; else there are several results.
_CHOOSING = ("as_tuple",)


def _chosen(node: ast.Call, keywords: dict[str, Value]) -> dict[str, Value]:
    """The keywords of a call without those that say that there is one result."""
    idle = {
        one.arg
        for one in node.keywords
        if one.arg in _CHOOSING and isinstance(one.value, ast.Constant) and one.value.value is False
    }
    return {name: one for name, one in keywords.items() if name not in idle} if idle else keywords


def _given(
    reading: Reading,
    name: str,
    positional: list[Value],
    keywords: dict[str, Value],
    receiver: Value | None,
    starred: bool,
) -> Value:
    if reading.replaced.among((name,)):
        return UNKNOWN
    texts = reading.returns(name)
    if not texts:
        return torch.unsaid(name, positional, keywords)
    found = torch.called(texts, positional, keywords, receiver, starred)
    return torch.with_names(name, found)


def _method(reading: Reading, node: ast.Call, base: Instance, name: str) -> Value:
    positional, keywords, starred = arguments(reading, node, False)
    if base.owner == "module" and name in _FLUENT:
        return base
    if base.owner == "module" and name == "forward":
        return torch.layer(base.classes, positional)
    if base.name in LISTS:
        return containers.method_of_layers(reading, node.func, base, positional)  # type: ignore[arg-type]
    if base.name.startswith(torch.DISTRIBUTION) and name in torch.OF_DISTRIBUTIONS:
        return TENSOR
    found = reading.methods(base, name)
    if name == "type" and is_tensor(base) and found:
        # Without a type it gives the name of its own.
        return TENSOR if positional or keywords else PLAIN
    if not found:
        return UNKNOWN
    chosen = _chosen(node, keywords)
    given = [_given(reading, n, positional, chosen, base, starred) for n in found]
    result = joined(given)
    if is_tensor(result) and name in ("item", "tolist"):
        return PLAIN
    result = operators.held(reading, node, name, _plain_tensor(result))
    every = (base, *positional, *keywords.values())
    result = float64.called(reading, node, name, result, every)
    if not reading.boundless:
        return result
    if infinities.holds(base) and isinstance(node.func, ast.Attribute):
        reading.given[node.func.value] = base
    return infinities.given(reading, node, name, result, every)


# What gives the module itself, whatever its annotation calls it.
_FLUENT = frozenset(
    ("to", "cuda", "cpu", "train", "eval", "double", "float", "half", "bfloat16", "apply",
     "requires_grad_", "xpu", "to_empty", "type", "share_memory", *npu.METHODS)
)  # fmt: skip


def _plain_tensor(found: Value) -> Value:
    """A method of a parameter gives a tensor."""
    return TENSOR if is_tensor(found) else found


def method_names(reading: Reading, base: Instance, name: str) -> tuple[str, ...]:
    """The canonical names that a method or a property of an object may have; () if none fits."""
    name = npu.METHODS.get(name, name)
    known = reading.facts.methods(name)
    if not known:
        return ()
    if base.name.startswith(torch.DISTRIBUTION):
        return tuple(of for of in torch.of_distribution(name, reading.own) if of in known)
    above = BASES.get(base.owner, "")
    found: list[str] = []
    for kind in base.classes:
        own = f"{kind}.{name}"
        if own in known:
            found.append(own)
        elif above and f"{above}.{name}" in known:
            found.append(f"{above}.{name}")
        else:
            return ()
    return reading.same_as(found)


def member(reading: Reading, node: ast.Attribute, base: Instance) -> Value:
    """What an attribute of an object of PyTorch's gives; its use is noted."""
    names = reading.methods(base, node.attr)
    if names:
        reading.note_read(node, base, names)
        if reading.facts.torch_kind(names[0]) == "property":
            if base.owner == "tensor":
                return float64.of_first(_PROPERTIES.get(node.attr, UNKNOWN), (base,))
            return TENSOR if node.attr in torch.OF_DISTRIBUTIONS else UNKNOWN
        return UNKNOWN
    if base.name == "torch.device":
        reading.note_device(node)
    if base.name == BASES["module"] and node.attr in RENAMED:
        reading.note_unclear(node, base)
    if base.owner in ("module", "loader") or base.name.startswith("torch.utils.data."):
        reading.note_field(node, base.classes, base)
    if base.owner == "module" and _has_parameter(reading, base, node.attr):
        return optional(children.PARAMETER)
    return UNKNOWN


def _has_parameter(reading: Reading, base: Instance, name: str) -> bool:
    if name in ("weight", "bias"):
        return base.name != BASES["module"]
    return all(name in reading.state(kind) for kind in base.classes)


_TENSORS = ("T", "H", "mT", "mH", "data", "real", "imag")
_PROPERTIES: dict[str, Value] = {
    **dict.fromkeys(_TENSORS, TENSOR),
    "grad": instance("tensor", "", True),
    "shape": instance("size", "torch.Size"),
    "device": instance("object", "torch.device"),
    "dtype": DTYPE,
    **dict.fromkeys(
        ("ndim", "requires_grad", "is_leaf", "is_cuda", "is_cpu", "itemsize", "nbytes",
         "output_nr", "is_sparse", "is_quantized", "is_meta", "name", "layout", "retains_grad"),
        PLAIN,
    ),
}  # fmt: skip


def own_member(
    reading: Reading,
    node: ast.Attribute,
    base: Object,
    called: ast.Call | None = None,
) -> Value:
    """What an attribute of an object of an own class gives; its use is noted."""
    entry, name = base.entry, node.attr
    if base.above and called is not None and name == _INIT:
        reading.note_made(called, "super", Class(entry))
    own = _above(base, name) if base.above else reading.member(entry, name)
    if own is not None:
        if called is None:
            call_graph.escape(own)
        reading.note_member(node, entry)
        return _bound(reading, own, base.above)
    root = entry.torch_base
    if not base.above and (found := reading.field(entry, name)) is not None:
        if root and name == "forward":
            reading.note_member(node, entry)
        elif root and called is None:
            reading.note_field(node, [root])
        return found
    if root and not (entry.is_open and not base.above):
        return _inherited(reading, node, base, root, called)
    if root and called is None:
        reading.note_field(node, [root])
        return UNKNOWN
    if called is not None and entry.is_open:
        reading.note_possible(called)
    return UNKNOWN


def _inherited(
    reading: Reading,
    node: ast.Attribute,
    base: Object,
    root: str,
    called: ast.Call | None,
) -> Value:
    """A member that an own class has from its class of PyTorch's."""
    made = narrowing.made(reading, root)
    if not isinstance(made, Instance):
        return UNKNOWN
    names = reading.methods(made, node.attr)
    if called is not None and names:
        trains = node.attr == "eval" and isinstance(base.entry.member("train"), Function)
        of_layer = names == (_FORWARD,) and root != BASES["module"]
        if base.above and of_layer and is_straight(base.entry):
            reading.note(called, "above", (root,), made)
        elif base.above and (trains or not is_straight(base.entry)):
            reading.note_possible(called, names)
        else:
            reading.note_called(called, made, "own" if trains else "method")
            children.added(reading, called, base, names)
        if node.attr in _FLUENT:
            return Giving(Object(base.entry))
        if node.attr == "forward":
            return Giving(torch.layer(made.classes, []))
        given = [_given(reading, n, [], {}, base, True) for n in names]
        return Giving(joined(given))
    if base.above and node.attr == "forward":
        reading.note_member(node, base.entry)
        return UNKNOWN
    found = member(reading, node, made)
    if made.owner == "module" and node.attr == "forward":
        reading.note_member(node, base.entry)
    return found


def _above(base: Object, name: str) -> Value | None:
    for entry in base.entry.lineage[1:]:
        if name in entry.members:
            return settled(entry.members[name])
    return None


def _bound(reading: Reading, own: Value, exact: bool) -> Value:
    if isinstance(own, Function):
        if own.kind == "property":
            return reading.result(own)
        return UNKNOWN if own.kind == "decorated" else Method(own, exact)
    return shared(own)
