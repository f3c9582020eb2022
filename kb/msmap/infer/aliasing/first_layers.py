"""Which layers a module applies to its input itself: those that change it in place matter."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msmap.infer.values.lattice import Class, Entry, Function, settled

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

# Where layers and functions that have `inplace` take it, counted without the input.
LAYERS = {
    "ReLU": 0, "ReLU6": 0, "SELU": 0, "SiLU": 0, "Mish": 0, "Hardswish": 0, "Hardsigmoid": 0,
    "LeakyReLU": 1, "ELU": 1, "CELU": 1, "Hardtanh": 2, "RReLU": 2, "Threshold": 2, "Dropout": 1,
    "Dropout1d": 1, "Dropout2d": 1, "Dropout3d": 1, "AlphaDropout": 1, "FeatureAlphaDropout": 1,
}  # fmt: skip
FUNCTIONS = {
    "relu": 0, "relu6": 0, "selu": 0, "silu": 0, "mish": 0, "hardswish": 0, "hardsigmoid": 0,
    "leaky_relu": 1, "elu": 1, "celu": 1, "hardtanh": 2, "threshold": 2, "dropout": 2,
    "dropout1d": 2, "dropout2d": 2, "dropout3d": 2, "alpha_dropout": 2,
    "feature_alpha_dropout": 2, "rrelu": 3,
}  # fmt: skip
# They may give their input itself.
_PASSING = ("Identity", "Flatten", *(name for name in LAYERS if name.endswith("Dropout")),
            "Dropout1d", "Dropout2d", "Dropout3d")  # fmt: skip
# They give the module that they are called on.
_FLUENT = ("to", "cuda", "cpu", "train", "eval", "apply", "requires_grad_", "double", "half")
# What gives all layers of a module or a list, and what goes over others.
_INNER = ("children", "modules", "named_children", "named_modules", "values", "items", "_modules")
OVER = ("enumerate", "zip", "reversed", "list", "tuple", "iter", "OrderedDict", "dict")
_LISTS = ("ModuleList", "ModuleDict", "Sequential")
_DEEP, _MANY, _FIRST = 24, 32, 4

_Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
_Made = tuple[ast.expr, "Within"]
_Lists = dict[str, list[tuple[ast.expr, ...]]]


@dataclass(frozen=True)
class Within:
    """Where an expression stands: the file, the class, and the function or the module."""

    home: Reading
    entry: Entry | None
    function: _Node

    def named(self, name: str) -> Class | Function | None:
        """The own class or function of the project that a name stands for."""
        found = self.home.module.now.get(name)
        found = None if found is None else settled(found)
        return found if isinstance(found, Class | Function) else None


def within(made: Function) -> Within | None:
    """Where the body of a function stands."""
    return None if isinstance(made.node, ast.Lambda) else Within(made.home, made.entry, made.node)


def leaf(node: ast.AST) -> str:
    """The last part of a dotted name."""
    return getattr(node, "attr", "") or getattr(node, "id", "")


def is_in_place(node: ast.Call, at: int | None) -> bool:
    """Whether a call asks for a change in place; what isn't False may."""
    for keyword in node.keywords:
        if keyword.arg == "inplace":
            return not (isinstance(keyword.value, ast.Constant) and not keyword.value.value)
    if at is None or len(node.args) <= at or any(isinstance(a, ast.Starred) for a in node.args):
        return False
    given = node.args[at]
    return not (isinstance(given, ast.Constant) and not given.value)


class Firsts:
    """What modules do to their input itself.

    Args:
        summary: the calls by which a function of the project changes its first parameter in place,
            but for ``self``.
    """

    def __init__(self, summary: Callable[[Function], frozenset[ast.Call]]) -> None:
        self._summary = summary
        self._asked: list[int] = []
        # What each function binds, and goes over.
        self._known: dict[_Node, _Bound] = {}
        # The file of each call that was found.
        self.homes: dict[ast.Call, Reading] = {}

    def changing(self, node: ast.AST, place: Within) -> frozenset[ast.Call]:
        """The calls that make the layers which may change the input of a module in place.

        Args:
            node: an expression that gives the module.
            place: where it stands.
        """
        if id(node) in self._asked or len(self._asked) > _DEEP:
            return frozenset()
        self._asked.append(id(node))
        try:
            return frozenset(self._changing(node, place))
        finally:
            self._asked.pop()

    def _changing(self, node: ast.AST, place: Within) -> Iterable[ast.Call]:
        if isinstance(node, ast.Call):
            return self._called(node, place)
        ways: Iterable[_Made] = ()
        if isinstance(node, ast.IfExp | ast.BoolOp):
            parts = [node.body, node.orelse] if isinstance(node, ast.IfExp) else node.values
            ways = [(one, place) for one in parts]
        elif isinstance(node, ast.Name | ast.Attribute):
            ways = self.values(node, place)
        elif isinstance(node, ast.Subscript):
            ways = self.elements(node.value, place)
        return [call for one, there in ways for call in self.changing(one, there)]

    def _called(self, node: ast.Call, place: Within) -> Iterable[ast.Call]:
        name = leaf(node.func)
        own = place.named(name)
        if isinstance(own, Class):
            return self._own(own.entry)
        if name in _FLUENT and isinstance(node.func, ast.Attribute):
            return self.changing(node.func.value, place)
        if name == "Sequential":
            return self._first(self._sequences(node.args, place), place)
        if isinstance(own, Function) or self._method(node.func, place):
            made = own if isinstance(own, Function) else self._method(node.func, place)
            inner = within(made) if made is not None else None
            if inner is None:
                return ()
            given = (o.value for o in ast.walk(inner.function) if isinstance(o, ast.Return))
            return [c for one in given if one is not None for c in self.changing(one, inner)]
        if is_in_place(node, LAYERS.get(name)):
            self.homes[node] = place.home
            return (node,)
        return ()

    def _method(self, node: ast.expr, place: Within) -> Function | None:
        """The own method that ``self.name`` is."""
        if place.entry is None or not isinstance(node, ast.Attribute) or not is_self(node.value):
            return None
        found = place.entry.member(node.attr)
        return found if isinstance(found, Function) else None

    def _own(self, entry: Entry) -> Iterable[ast.Call]:
        forward = entry.member("forward")
        if isinstance(forward, Function):
            return self._summary(forward)
        if not entry.torch_base.endswith(".Sequential"):
            return ()
        made = entry.member("__init__")
        inner = within(made) if isinstance(made, Function) else None
        if inner is None:
            return ()
        given: list[ast.expr] = []
        for call in _calls(inner.function):
            name = leaf(call.func)
            if name == "__init__":
                given += [one for one in call.args if not is_self(one)]
            elif name in ("add_module", "register_module", "append") and call.args:
                given.append(call.args[-1])
        return self._first(self._sequences(given, inner), inner)

    def passes(self, node: ast.AST, place: Within) -> bool:
        """Whether a module may give its input itself."""
        if id(node) in self._asked or len(self._asked) > _DEEP:
            return False
        self._asked.append(id(node))
        try:
            if isinstance(node, ast.Call):
                if leaf(node.func) == "Sequential":
                    sequences = self._sequences(node.args, place)
                    return any(all(self.passes(*one) for one in seq) for seq in sequences)
                name = leaf(node.func)
                return name in _PASSING or is_in_place(node, LAYERS.get(name))
            if isinstance(node, ast.Name | ast.Attribute):
                return any(self.passes(*one) for one in self.values(node, place))
            if isinstance(node, ast.IfExp):
                return self.passes(node.body, place) or self.passes(node.orelse, place)
        finally:
            self._asked.pop()
        return False

    def is_layer(self, node: ast.AST, place: Within) -> bool:
        """Whether something is a layer that changes its input, and no module that holds one."""
        if isinstance(node, ast.IfExp):
            return self.is_layer(node.body, place) and self.is_layer(node.orelse, place)
        if isinstance(node, ast.Constant):
            return node.value is None
        if isinstance(node, ast.Call):
            return leaf(node.func) in LAYERS and is_in_place(node, LAYERS[leaf(node.func)])
        if not isinstance(node, ast.Name | ast.Attribute):
            return False
        found = list(self.values(node, place))
        return bool(found) and all(self.is_layer(*one) for one in found)

    # What names and attributes stand for.

    def values(self, node: ast.Name | ast.Attribute, place: Within) -> Iterator[_Made]:
        """The expressions that a name or an attribute of ``self`` is bound to."""
        if isinstance(node, ast.Attribute):
            if place.entry is not None and is_self(node.value):
                for function, there in _methods(place.entry):
                    for value in self._bound(function).attributes.get(node.attr, ()):
                        yield value, there
            return
        functions = [place.function]
        if not isinstance(place.function, ast.Module):
            functions.append(place.home.source.tree)
        for function in functions:
            bound = self._bound(function)
            values, over = bound.names.get(node.id, ()), bound.over.get(node.id, ())
            yield from ((value, place) for value in values)
            for one in over:
                yield from self.elements(one, place)
            if values or over:
                return

    def _bound(self, function: _Node) -> _Bound:
        found = self._known.get(function)
        if found is None:
            found = self._known[function] = _Bound(function)
        return found

    def elements(self, node: ast.AST, place: Within) -> list[_Made]:
        """The expressions that may be in a list of layers."""
        if id(node) in self._asked or len(self._asked) > _DEEP:
            return []
        self._asked.append(id(node))
        try:
            return list(self._elements(node, place))
        finally:
            self._asked.pop()

    def _elements(self, node: ast.AST, place: Within) -> Iterator[_Made]:
        if isinstance(node, ast.List | ast.Tuple):
            for one in node.elts:
                if isinstance(one, ast.Starred):
                    yield from self.elements(one.value, place)
                elif isinstance(one, ast.Tuple) and one.elts:
                    yield one.elts[-1], place
                else:
                    yield one, place
        elif isinstance(node, ast.Dict):
            yield from ((one, place) for one in node.values)
        elif isinstance(node, ast.ListComp | ast.GeneratorExp):
            yield node.elt, place
        elif isinstance(node, ast.BinOp):
            yield from self.elements(node.left, place)
            yield from self.elements(node.right, place)
        elif isinstance(node, ast.Subscript):
            yield from self.elements(node.value, place)
        elif isinstance(node, ast.Call):
            name = leaf(node.func)
            if name in _LISTS or name in OVER:
                for one in node.args:
                    inner = one.value if isinstance(one, ast.Starred) else one
                    is_list = name != "Sequential" or isinstance(one, ast.Starred)
                    yield from self.elements(inner, place) if is_list else [(inner, place)]
            elif name in _INNER and isinstance(node.func, ast.Attribute):
                yield from self.elements(node.func.value, place)
        elif isinstance(node, ast.Attribute) and node.attr in _INNER:
            yield from self.elements(node.value, place)
        elif isinstance(node, ast.Name | ast.Attribute):
            for one, there in list(self.values(node, place)):
                yield from self.elements(one, there)
            yield from self._grown(node, place)

    def _grown(self, node: ast.Name | ast.Attribute, place: Within) -> Iterator[_Made]:
        """What is appended to a list."""
        wanted = ast.dump(node)
        if isinstance(node, ast.Attribute) and place.entry is not None:
            functions = _methods(place.entry)
        else:
            functions = [(place.function, place)]
        for function, there in functions:
            for call in _calls(function):
                on = call.func.value if isinstance(call.func, ast.Attribute) else None
                if on is None or not call.args or ast.dump(on) != wanted:
                    continue
                if leaf(call.func) in ("append", "insert", "add_module"):
                    yield call.args[-1], there
                elif leaf(call.func) == "extend":
                    yield from self.elements(call.args[0], there)

    # What comes first.

    def _first(self, sequences: Iterable[Sequence[_Made]], place: Within) -> Iterator[ast.Call]:
        for sequence in sequences:
            for one, there in sequence:
                yield from self.changing(one, there)
                if not self.passes(one, there):
                    break

    def _sequences(self, given: Sequence[ast.expr], place: Within) -> list[Sequence[_Made]]:
        """The ways in which the arguments of Sequential may begin."""
        sole = given[0] if len(given) == 1 else None
        if isinstance(sole, ast.Call) and leaf(sole.func) in ("OrderedDict", "dict"):
            return [self.elements(sole, place)]
        lists = _Listed(place.function, given[0]) if given else None
        ways: list[tuple[ast.expr, ...]] = [()]
        for one in given:
            inner = one.value if isinstance(one, ast.Starred) else None
            more = None if inner is None or lists is None else lists.read(inner)
            if inner is not None and more is None:
                every = self.elements(inner, place)
                known = [[(e, place) for e in way] for way in ways]
                return [[*way, element] for way in known for element in every] or [*known]
            ways = [(*way, *m)[:_FIRST] for way in ways for m in (more or [(one,)])]
            if len(ways) > _MANY or all(len(way) >= _FIRST for way in ways):
                break
        return [[(one, place) for one in way] for way in dict.fromkeys(ways)]


class _Listed:
    """What the lists of a function may hold where an expression stands, each as it begins."""

    def __init__(self, function: _Node, at: ast.expr) -> None:
        self._at = at
        self.now: _Lists = {}
        self._found: _Lists | None = None
        self._block(function.body)

    def read(self, node: ast.expr) -> list[tuple[ast.expr, ...]] | None:
        """The ways in which a list may begin; None if nothing tells."""
        return self._value(node, self._found or self.now)

    def _value(self, node: ast.expr, lists: _Lists) -> list[tuple[ast.expr, ...]] | None:
        if isinstance(node, ast.List | ast.Tuple):
            ways: list[tuple[ast.expr, ...]] = [()]
            for one in node.elts:
                more: list[tuple[ast.expr, ...]] = [(one,)]
                if isinstance(one, ast.Starred):
                    inner = self._value(one.value, lists)
                    if inner is None:
                        return None
                    more = inner
                ways = [(*way, *m)[:_FIRST] for way in ways for m in more][:_MANY]
            return ways
        if isinstance(node, ast.Name):
            return lists.get(node.id)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._value(node.left, lists), self._value(node.right, lists)
            if left is None:
                return None
            return [(*a, *b)[:_FIRST] for a in left for b in (right or [()])][:_MANY]
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            left = self._value(node.value, lists)
            low = node.slice.lower
            skip = low.value if isinstance(low, ast.Constant) else None if low else 0
            if left is None or not isinstance(skip, int) or skip < 0:
                return None
            return [one[skip:] for one in left]
        if isinstance(node, ast.Call) and leaf(node.func) in ("list", "tuple") and node.args:
            return self._value(node.args[0], lists)
        if isinstance(node, ast.ListComp):
            return [(node.elt,)]
        return None

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.If):
            before = dict(self.now)
            self._block(node.body)
            yes, self.now = self.now, before
            self._block(node.orelse)
            self.now = _either(yes, self.now)
        elif isinstance(node, ast.For | ast.While | ast.AsyncFor):
            for _ in range(2):
                before = dict(self.now)
                self._block(node.body)
                self.now = _either(before, self.now)
        elif isinstance(node, ast.With | ast.Try):
            self._block(node.body)
        else:
            if any(one is self._at for one in ast.walk(node)):
                self._found = dict(self.now)
            self._simple(node)

    def _simple(self, node: ast.stmt) -> None:
        lists = self.now
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Name):
                self._put(target.id, self._value(node.value, lists))
            elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
                at = target.slice.value if isinstance(target.slice, ast.Constant) else None
                held = lists.get(target.value.id)
                if held is not None and isinstance(at, int) and at >= 0:
                    lists[target.value.id] = [
                        (*one[:at], node.value, *one[at + 1 :]) if len(one) > at else one
                        for one in held
                    ]
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            more = self._value(node.value, lists)
            held = lists.get(node.target.id)
            if held is not None:
                self._put(node.target.id, [(*a, *b) for a in held for b in (more or [()])])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            self._grow(node.value, lists)

    def _grow(self, call: ast.Call, lists: _Lists) -> None:
        on = call.func.value if isinstance(call.func, ast.Attribute) else None
        if not isinstance(on, ast.Name) or on.id not in lists or not call.args:
            return
        held, name = lists[on.id], leaf(call.func)
        if name == "append":
            self._put(on.id, [(*one, call.args[0]) for one in held])
        elif name == "extend":
            more = self._value(call.args[0], lists) or [()]
            self._put(on.id, [(*a, *b) for a in held for b in more])
        elif name == "insert" and isinstance(call.args[0], ast.Constant):
            at: Any = call.args[0].value
            self._put(on.id, [(*one[:at], call.args[1], *one[at:]) for one in held])

    def _put(self, name: str, ways: list[tuple[ast.expr, ...]] | None) -> None:
        if ways is None:
            self.now.pop(name, None)
        else:
            self.now[name] = list(dict.fromkeys(one[:_FIRST] for one in ways))[:_MANY]


def _either(one: _Lists, two: _Lists) -> _Lists:
    return {
        name: list(dict.fromkeys([*one.get(name, []), *two.get(name, [])]))[:_MANY]
        for name in {*one, *two}
    }


def is_self(node: ast.AST) -> bool:
    """Whether something is ``self``."""
    return isinstance(node, ast.Name) and node.id == "self"


def _methods(entry: Entry) -> list[tuple[_Node, Within]]:
    return [
        (node, Within(one.home, entry, node))
        for one in entry.lineage
        for node in one.node.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _own_nodes(function: _Node) -> Iterator[ast.AST]:
    """The nodes of a function or a module without those of functions and classes in it."""
    ahead: list[ast.AST] = [*function.body]
    for node in ahead:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            ahead += ast.iter_child_nodes(node)


def _calls(function: _Node) -> Iterator[ast.Call]:
    return (node for node in _own_nodes(function) if isinstance(node, ast.Call))


class _Bound:
    """What a function binds names and attributes to, and what it goes over by a name."""

    def __init__(self, function: _Node) -> None:
        self.names: dict[str, list[ast.expr]] = {}
        self.attributes: dict[str, list[ast.expr]] = {}
        self.over: dict[str, list[ast.expr]] = {}
        for node in _own_nodes(function):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, node.value)
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                self._bind(node.target, node.value)
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                for one in ast.walk(node.target):
                    if isinstance(one, ast.Name):
                        self.over.setdefault(one.id, []).append(node.iter)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.names.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Attribute):
            self.attributes.setdefault(target.attr, []).append(value)
