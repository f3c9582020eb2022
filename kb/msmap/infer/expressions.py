"""What expressions of users' code give."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msmap.infer import annotations as hints
from msmap.infer import (
    call_graph,
    calls,
    children,
    effects,
    float64,
    formatting,
    infinities,
    narrowing,
    operators,
)
from msmap.infer.environment import Scope
from msmap.infer.iteration import iterated
from msmap.infer.results import computed, item
from msmap.infer.values import containers
from msmap.infer.values.lattice import (
    ARRAY,
    CONTAINER,
    DTYPE,
    FILE,
    FOREIGN,
    LISTS,
    NONE,
    NUMPY,
    OTHER,
    OTHERS,
    PLAIN,
    RENAMED,
    STREAMS,
    TENSOR,
    TYPING,
    UNKNOWN,
    Builtin,
    Class,
    Function,
    Instance,
    Items,
    Keyed,
    Members,
    Object,
    Path,
    Several,
    Value,
    is_tensor,
    join,
    joined,
    shared,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


def value(reading: Reading, node: ast.expr) -> Value:
    """What an expression gives; a container that it names may be changed from here on."""
    of = node.__class__
    if of is ast.Name:
        found = name(reading, node)  # type: ignore[arg-type]
        kind = found.__class__
        if (kind is Items and found.mutable) or (kind is Keyed and not found.fixed):  # type: ignore[attr-defined]
            reading.scope.now[node.id] = CONTAINER  # type: ignore[attr-defined]
    elif of is ast.Constant:
        return NONE if node.value is None else PLAIN  # type: ignore[attr-defined]
    else:
        found = _VALUES[of](reading, node)
        kind = found.__class__
    if kind is Instance and found.name in LISTS and (of is ast.Name or of is ast.Attribute):  # type: ignore[attr-defined]
        containers.put_layer(reading, node, found, None)  # type: ignore[arg-type]
    return found


def peek(reading: Reading, node: ast.expr) -> Value:
    """The same of an expression whose value nobody keeps."""
    return _VALUES[node.__class__](reading, node)


def name(reading: Reading, node: ast.Name) -> Value:
    """What a name stands for; a name of PyTorch's is noted."""
    found = reading.lookup(node.id)
    kind = found.__class__
    if kind is Path:
        if reading.is_bound(node.id) or node.id == "torch":
            reading.note_name(node, found.name)  # type: ignore[attr-defined]
    elif (kind is Function or kind is Class or kind is Several) and not reading.typed:
        if node not in reading.applied:
            call_graph.escape(found)
        if kind is Class:
            reading.note_made(node, "heir", found)  # type: ignore[arg-type]
    return found


def _constant(_: Reading, node: ast.Constant) -> Value:
    return NONE if node.value is None else PLAIN


def head(reading: Reading, node: ast.expr) -> Value:
    """What stands before a dot or is called: by itself it is no use of a name."""
    kind = node.__class__
    if kind is ast.Name:
        return reading.lookup(node.id)  # type: ignore[attr-defined]
    if kind is ast.Attribute:
        return attribute(reading, node, False)  # type: ignore[arg-type]
    return _VALUES[kind](reading, node)


def attribute(reading: Reading, node: ast.Attribute, alone: bool = True) -> Value:
    """What an attribute gives; ``alone`` is False for the beginning of a longer name or a call."""
    base = head(reading, node.value)
    kind = base.__class__
    if node.attr == children.KEPT:
        children.asked(reading, node, base)
    if kind is Path:
        return _dotted(reading, node, base.name, alone)  # type: ignore[attr-defined]
    if kind is Instance:
        return calls.member(reading, node, base)  # type: ignore[arg-type]
    if kind is Object:
        own = calls.own_member(reading, node, base)  # type: ignore[arg-type]
        if not reading.quiet:
            reading.given.pop(node, None)
            if own in (PLAIN, DTYPE) or own.__class__ is Object:
                reading.given[node] = own
            if reading.follows:
                reading.values[node] = own
        return own
    if kind is Class:
        found = reading.member(base.entry, node.attr)  # type: ignore[attr-defined]
        call_graph.escape(found or UNKNOWN)
        return UNKNOWN if found is None else shared(found)
    if isinstance(base, Members):
        found = base.member(node.attr)
        call_graph.escape(found)
        if alone and found.__class__ is Path:
            reading.note_name(node, found.name)
        return found
    if node.value in reading.uses or (kind is Items and base.named):  # type: ignore[attr-defined]
        reading.note_result(node, base)
    if kind is Items:
        if base.named and node.attr not in ("count", "index"):  # type: ignore[attr-defined]
            return base.element  # type: ignore[attr-defined,no-any-return]
        return PLAIN
    if base is NUMPY:
        return PLAIN if node.attr in _CONSTANTS else NUMPY
    if base is ARRAY:
        return ARRAY if node.attr in _ARRAYS else OTHER
    if base in (OTHER, PLAIN, DTYPE, FILE):
        return OTHER
    if base is STREAMS:
        return STREAMS
    reading.loose.add(node.attr)
    if base is UNKNOWN and node.attr == _GROUPS:
        reading.note_perhaps(node)
    if base is UNKNOWN and node.attr in RENAMED:
        reading.note_unclear(node, base)
    return reading.part(node) if base is FOREIGN else UNKNOWN


# What an optimizer calls its groups: in MindSpore their rates are no numbers.
_GROUPS = "param_groups"
# Of NumPy, numbers of Python's; of an array, other arrays.
_CONSTANTS = ("pi", "e", "inf", "nan", "newaxis")
_ARRAYS = ("T", "real", "imag", "flat")


def _dotted(reading: Reading, node: ast.Attribute, before: str, alone: bool) -> Value:
    full = f"{before}.{node.attr}"
    canonical = reading.canonical(full)
    if canonical is None:
        kind = reading.kind_of(before)
        if kind in ("constant", "dtype"):
            # Its attribute is Python's: torch.__version__.split.
            reading.note_name(node.value, before)
            return OTHER
    elif reading.kind_of(full) in ("constant", "dtype"):
        reading.note_name(node, full)
        return DTYPE if reading.kind_of(full) == "dtype" else PLAIN
    if alone:
        reading.note_name(node, full)
    return Path(full)


def _binary(reading: Reading, node: ast.BinOp) -> Value:
    # Sums of a thousand terms lean to the left: no frame for each.
    spine = [node]
    while spine[-1].left.__class__ is ast.BinOp:
        spine.append(spine[-1].left)
    found = value(reading, spine[-1].left)
    for part in reversed(spine):
        right = value(reading, part.right)
        if right.__class__ is Instance or found.__class__ is Instance:
            children.joined(reading, part, found)
            operators.binary(reading, part, found, right)
            float64.beside(reading, part.left, found, part.right, right)
            float64.divided(reading, part, found, right)
        found = computed(found, right, part.op)
        if reading.boundless:
            found = infinities.computed(reading, part, found)
    return found


def _unary(reading: Reading, node: ast.UnaryOp) -> Value:
    found = value(reading, node.operand)
    if found.__class__ is Instance:
        operators.inverted(reading, node, found)
    if node.op.__class__ is ast.Not:
        return PLAIN
    if float64.holds(found):
        return found
    return TENSOR if is_tensor(found) else found if found in OTHERS else UNKNOWN


_IDENTITY = (ast.Is, ast.IsNot, ast.In, ast.NotIn)


def _compare(reading: Reading, node: ast.Compare) -> Value:
    found = [peek(reading, part) for part in (node.left, *node.comparators)]
    if len(found) == 2 and not isinstance(node.ops[0], ast.Is | ast.IsNot):
        float64.beside(reading, node.left, found[0], node.comparators[0], found[1])
    if isinstance(node.ops[0], _IDENTITY):
        return PLAIN
    if len(found) == 2 and (is_tensor(found[0]) or is_tensor(found[1])):
        operators.compared(reading, node, *found)
        return TENSOR
    if all(one is PLAIN for one in found):
        return PLAIN
    if ARRAY in found and all(one in OTHERS for one in found):
        return ARRAY
    return OTHER if all(one in OTHERS for one in found) else UNKNOWN


def _boolean(reading: Reading, node: ast.BoolOp) -> Value:
    found: list[Value] = []
    now = reading.scope.now
    narrowed: list[tuple[str, Value | None, Value]] = []
    holds = node.op.__class__ is ast.And
    for part in node.values:
        found.append(value(reading, part))
        if part is not node.values[-1]:
            for key, seen in narrowing.changes(reading, part, holds).items():
                narrowed.append((key, now.get(key), seen))
                now[key] = seen
    # What the operands bind stays bound; what they narrow doesn't.
    for key, before, seen in reversed(narrowed):
        if now.get(key) is seen:
            if before is None:
                del now[key]
            else:
                now[key] = before
    return joined(found)


def _choice(reading: Reading, node: ast.IfExp) -> Value:
    value(reading, node.test)
    yes, no = (
        narrowing.changes(reading, node.test, True),
        narrowing.changes(reading, node.test, False),
    )
    return join(
        _under(reading, node.body, yes),
        _under(reading, node.orelse, no),
    )


def _under(reading: Reading, node: ast.expr, changes: dict[str, Value]) -> Value:
    if not changes:
        return value(reading, node)
    now = reading.scope.now
    reading.scope.now = {**now, **changes}
    found = value(reading, node)
    reading.scope.now = now
    return found


# Those of Python's own classes that take types in brackets.
_GENERIC = ("tuple", "list", "dict", "set", "frozenset", "type")


def _subscript(reading: Reading, node: ast.Subscript) -> Value:
    base = peek(reading, node.value)
    index = node.slice
    if base is TYPING or (base.__class__ is Builtin and base.name in _GENERIC):
        # A type by a name of its own: ``Cache = Tuple[torch.Tensor, torch.Tensor]``.
        hints.note(reading, index)
        return UNKNOWN
    found = peek(reading, index)
    if base.__class__ is Instance:
        operators.taken(reading, node, base)
        operators.indexed(reading, index, base, found, "__getitem__")
    return item(base, index)


def _sequence(reading: Reading, node: ast.List | ast.Tuple) -> Value:
    found: list[Value] = []
    known = True
    for part in node.elts:
        if part.__class__ is ast.Starred:
            inner = peek(reading, part.value)
            if isinstance(inner, Items) and inner.values is not None and not inner.mutable:
                found += inner.values
            else:
                known = False
                found.append(iterated(inner))
        else:
            found.append(value(reading, part))
    mutable = node.__class__ is ast.List
    if known:
        return Items(tuple(found), UNKNOWN, mutable)
    return Items(None, joined(found), mutable)


def _set(reading: Reading, node: ast.Set) -> Value:
    for part in node.elts:
        value(reading, part)
    return CONTAINER


def _dict(reading: Reading, node: ast.Dict) -> Value:
    for key in node.keys:
        if key is not None:
            value(reading, key)
    found = tuple([value(reading, part) for part in node.values])
    keys = tuple([key.value for key in node.keys if key.__class__ is ast.Constant])
    return Keyed(keys, found) if keys and len(keys) == len(found) else CONTAINER


def _f_string(reading: Reading, node: ast.JoinedStr) -> Value:
    before, reading.text = reading.text, reading.text or node
    for part in node.values:
        if part.__class__ is ast.FormattedValue:
            peek(reading, part)
    reading.text = before
    return PLAIN


def _formatted(reading: Reading, node: ast.FormattedValue) -> Value:
    found = value(reading, node.value)
    if node.format_spec is not None:
        peek(reading, node.format_spec)
        spec = node.format_spec
        parts = spec.values if isinstance(spec, ast.JoinedStr) else []
        spelled = any(part.__class__ is ast.Constant for part in parts)
        if spelled and node.conversion < 0 and formatting.is_number(found):
            reading.note_formatted(node.value)
    return PLAIN


def _lambda(reading: Reading, node: ast.Lambda) -> Value:
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None:
            value(reading, default)
    return reading.function(node)


def _comprehension(reading: Reading, node: Any) -> Value:
    outer = reading.scope
    first = peek(reading, node.generators[0].iter)
    reading.scope = inner = Scope("comprehension", outer, live=True)
    for number, part in enumerate(node.generators):
        over = first if number == 0 else peek(reading, part.iter)
        each = iterated(over)
        reading.assign(part.target, each)
        effects.each(reading, part.target, part.iter, over)
        for test in part.ifs:
            value(reading, test)
            inner.now.update(narrowing.changes(reading, test, True))
    if node.__class__ is ast.DictComp:
        value(reading, node.key)
        # What a dict holds that is made into layers at once, which nobody changes.
        reading.dicts[node] = value(reading, node.value)
        found: Value = CONTAINER
    else:
        element = value(reading, node.elt)
        found = Items(None, element, node.__class__ is ast.ListComp)
        if node.__class__ is ast.SetComp:
            found = CONTAINER
    reading.scope = outer
    reading.leave(inner)
    return found


def _walrus(reading: Reading, node: ast.NamedExpr) -> Value:
    found = value(reading, node.value)
    scope = reading.scope
    while scope.kind == "comprehension" and scope.parent is not None:
        scope = scope.parent
    scope.bind(node.target.id, found)
    return shared(found)


def _starred(reading: Reading, node: ast.Starred) -> Value:
    peek(reading, node.value)
    return UNKNOWN


def _await(reading: Reading, node: ast.Await) -> Value:
    value(reading, node.value)
    return UNKNOWN


def _yield(reading: Reading, node: ast.Yield | ast.YieldFrom) -> Value:
    found = NONE if node.value is None else value(reading, node.value)
    yielded = reading.scope.yielded = reading.scope.yielded or []
    yielded.append(iterated(found) if node.__class__ is ast.YieldFrom else found)
    return UNKNOWN


def _slice(reading: Reading, node: ast.Slice) -> Value:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            peek(reading, part)
    return PLAIN


_VALUES: dict[type[ast.AST], Callable[[Any, Any], Value]] = {
    ast.Name: name,
    ast.Constant: _constant,
    ast.Attribute: attribute,
    ast.Call: calls.call,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.IfExp: _choice,
    ast.Subscript: _subscript,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _set,
    ast.Dict: _dict,
    ast.JoinedStr: _f_string,
    ast.FormattedValue: _formatted,
    ast.Lambda: _lambda,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.NamedExpr: _walrus,
    ast.Starred: _starred,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Slice: _slice,
}
