"""Changes in place that others see: which names, containers and callers hold the same tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any

from msmap.code.tree import children
from msmap.infer import liveness
from msmap.infer.aliasing.first_layers import (
    FUNCTIONS,
    OVER,
    Firsts,
    Within,
    is_in_place,
    is_self,
    leaf,
    within,
)
from msmap.infer.effects import VIEWS, WHOLE, changes_in_place
from msmap.infer.values.lattice import Function

# What gives the tensor itself, at least where nothing has to be converted.
_SAME = WHOLE | {"to", "float", "cuda", "cpu", "type", "type_as"}
_GROWING = ("append", "extend", "insert", "add", "update", "setdefault", "put", "appendleft")
_ROUNDS = 3


@dataclass(frozen=True)
class Site:
    """Where a tensor comes from: its expression, a parameter, or what is held elsewhere.

    ``kind`` is one of "made", "parameter" and "outside".
    """

    kind: str
    of: object


@dataclass(frozen=True)
class Held:
    """What an expression may give: tensors by their sites.

    ``view`` says that it may be a view of one, ``inside`` that it is a container of them.
    """

    sites: frozenset[Site] = frozenset()
    view: bool = False
    inside: bool = False

    def __or__(self, other: Held) -> Held:
        return Held(self.sites | other.sites, self.view or other.view, self.inside or other.inside)


_NOTHING = Held()


@dataclass
class Change:
    """A call that changes its argument in place.

    Attributes:
        node: the call.
        statement: the statement that it stands in.
        argument: what it changes.
        by: the calls that make the layers, or of functions, by which it is changed.
        names: the names that hold the same tensor and are read later.
        seen: whether anything but these names sees the change.
        view: whether the argument may be a view.
        sure: whether each of the names holds just this tensor.
        parameters: the parameters of the function whose tensors are changed.
        direct: whether what is called is itself the function or the layer that changes it.
    """

    node: ast.Call
    statement: ast.stmt
    argument: ast.expr
    by: frozenset[ast.Call]
    names: frozenset[str] = frozenset()
    seen: bool = False
    view: bool = False
    sure: bool = True
    parameters: frozenset[str] = frozenset()
    direct: bool = False


@dataclass
class Summary:
    """What a function does to its parameters.

    Attributes:
        changed: by which calls each is changed in place.
        given: those that it may give back, or parts of them.
        viewed: those of which it may give a view.
        makes: whether it may give anything else.
        changes: the changes in place within it.
    """

    changed: dict[str, set[ast.Call]] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)
    viewed: set[str] = field(default_factory=set)
    makes: bool = False
    changes: list[Change] = field(default_factory=list)


class Functions:
    """The summaries of functions, each made when it is asked for."""

    def __init__(self) -> None:
        self._known: dict[ast.AST, Summary] = {}
        self.firsts = Firsts(self._first)

    def summary(self, place: Within, after: Set[str] = frozenset()) -> Summary:
        """What a function does, or a module; ``after`` are names that are read when it has run."""
        found = self._known.get(place.function)
        if found is None:
            found = self._known[place.function] = Summary()
            _Flow(self, place, found, after).run()
        return found

    def of(self, made: Function) -> Summary | None:
        """The summary of a function of the project."""
        place = within(made)
        return None if place is None else self.summary(place)

    def _first(self, made: Function) -> frozenset[ast.Call]:
        found, names = self.of(made), parameters(made)
        return frozenset(found.changed.get(names[0], ())) if found and names else frozenset()


def parameters(made: Function) -> list[str]:
    """The names of the parameters by position, without ``self``."""
    spec = made.node.args
    names = [one.arg for one in (*spec.posonlyargs, *spec.args)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


class _Flow:
    """What names hold, statement by statement."""

    def __init__(
        self, functions: Functions, place: Within, summary: Summary, after: Set[str]
    ) -> None:
        self.functions, self.place, self.summary = functions, place, summary
        self.now: dict[str, Held] = {}
        # What attributes, closures and callers hold.
        self.escaped: set[Site] = set()
        self.found: dict[ast.Call, Change] = {}
        self.live = liveness.Live(place.function.body, after)
        self.statement: ast.stmt = place.function.body[0]

    def run(self) -> None:
        node = self.place.function
        if not isinstance(node, ast.Module):
            spec = node.args
            for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg):
                if one is not None and one.arg != "self":
                    self.now[one.arg] = Held(frozenset({Site("parameter", one.arg)}))
        self.block(node.body)
        self.summary.changes = list(self.found.values())

    # Statements.

    def block(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            self.statement = node
            self.one(node)

    def one(self, node: Any) -> None:
        if isinstance(node, ast.If):
            self.value(node.test)
            before = dict(self.now)
            self.block(node.body)
            yes, self.now = self.now, before
            self.block(node.orelse)
            self.join(yes)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While):
            self.loop(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            for item in node.items:
                self.value(item.context_expr)
            self.block(node.body)
        elif isinstance(node, ast.Match):
            self.value(node.subject)
            before = dict(self.now)
            for case in node.cases:
                after, self.now = self.now, dict(before)
                self.block(case.body)
                self.join(after)
        elif isinstance(node, ast.Try) or hasattr(node, "handlers"):
            self.block(node.body)
            for handler in node.handlers:
                before = dict(self.now)
                self.block(handler.body)
                self.join(before)
            self.block([*node.orelse, *node.finalbody])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self.close(node)
        elif isinstance(node, ast.Assign):
            self.assign(node)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self.bind(node.target, self.value(node.value))
        elif isinstance(node, ast.AugAssign):
            added = self.value(node.value)
            if isinstance(node.target, ast.Name):
                held = self.now.get(node.target.id, _NOTHING)
                self.now[node.target.id] = held if held.sites else added
        elif isinstance(node, ast.Return):
            held = _NOTHING if node.value is None else self.value(node.value)
            given = {str(s.of) for s in held.sites if s.kind == "parameter"}
            self.summary.given |= given
            self.summary.viewed |= given if held.view else set()
            self.summary.makes |= len(given) < len(held.sites) or not given
        elif not isinstance(node, ast.ClassDef):
            for child in children(node):
                if isinstance(child, ast.expr):
                    self.value(child)

    def loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        over = self.value(node.test if isinstance(node, ast.While) else node.iter)
        if not _is_local(over):
            # What a loader or the like gives is new each time.
            over = Held(frozenset({Site("made", node)}))
        over = replace(over, inside=False)
        for _ in range(_ROUNDS):
            before = dict(self.now)
            if not isinstance(node, ast.While):
                self.bind(node.target, over)
            self.block(node.body)
            self.join(before)
            if self.now == before:
                break
        self.block(node.orelse)

    def join(self, other: dict[str, Held]) -> None:
        names = {*self.now, *other}
        self.now = {n: self.now.get(n, _NOTHING) | other.get(n, _NOTHING) for n in names}

    def assign(self, node: ast.Assign) -> None:
        value = node.value
        for target in node.targets:
            if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
                continue
            if len(target.elts) == len(value.elts):
                held = [self.value(one) for one in value.elts]
                for one, kept in zip(target.elts, held, strict=True):
                    self.bind(one, kept)
                return
        held_by_all = self.value(value)
        for target in node.targets:
            self.bind(target, held_by_all)

    def bind(self, target: ast.expr, held: Held) -> None:
        if isinstance(target, ast.Name):
            self.now[target.id] = held
        elif isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                self.bind(one, held)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, held)
        else:
            self.keep(target, held)

    def close(self, node: ast.AST) -> None:
        """A function is made: what it reads it may read at any time."""
        for name in liveness.reads(node):
            self.escaped |= self.now.get(name, _NOTHING).sites

    def keep(self, into: ast.expr, held: Held) -> None:
        """Something is put into a container or an object."""
        while isinstance(into, ast.Attribute | ast.Subscript):
            into = into.value
        if isinstance(into, ast.Name) and into.id in self.now and not is_self(into):
            self.now[into.id] |= replace(held, inside=True)
        else:
            self.escaped |= held.sites

    # Expressions.

    def value(self, node: ast.expr) -> Held:
        """What an expression gives; calls that change something in it are noted."""
        if isinstance(node, ast.Name):
            outside = Held(frozenset({Site("outside", node.id)}))
            return self.now.get(node.id, outside)
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Attribute):
            held = self.value(node.value)
            if node.attr in WHOLE:
                return held
            if node.attr in VIEWS:
                return Held(held.sites, True)
            return Held(frozenset({Site("outside", ast.unparse(node))}))
        if isinstance(node, ast.Subscript):
            self.value(node.slice)
            held = self.value(node.value)
            # An item of a container is no view; of what may be a tensor it may be one.
            return Held(held.sites, held.view or not held.inside)
        if isinstance(node, ast.NamedExpr):
            held = self.value(node.value)
            self.bind(node.target, held)
            return held
        if isinstance(node, ast.IfExp):
            self.value(node.test)
            return self.value(node.body) | self.value(node.orelse)
        if isinstance(node, ast.Lambda):
            self.close(node)
            return _NOTHING
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            for one in node.generators:
                self.bind(one.target, replace(self.value(one.iter), inside=False))
            parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            return replace(self.all(parts), inside=True)
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.BoolOp | ast.Starred):
            held = self.all(one for one in children(node) if isinstance(one, ast.expr))
            return held if isinstance(node, ast.BoolOp) else replace(held, inside=True)
        self.all(one for one in children(node) if isinstance(one, ast.expr))
        return Held(frozenset({Site("made", node)}))

    def all(self, nodes: Iterable[ast.expr]) -> Held:
        held = _NOTHING
        for one in nodes:
            held |= self.value(one)
        return held

    def call(self, node: ast.Call) -> Held:
        function = node.func
        name = leaf(function)
        on = self.value(function.value) if isinstance(function, ast.Attribute) else _NOTHING
        given = [self.value(one) for one in node.args]
        named = {one.arg: self.value(one.value) for one in node.keywords}
        if isinstance(function, ast.Attribute):
            if name in _GROWING:
                self.keep(function.value, _union(given))
            if name[:-1] in FUNCTIONS and not _is_local(on) and given and given[0].view:
                # Of what is whole the port writes it; a view may not reach what it is a view of.
                self.functions.firsts.homes[node] = self.place.home
                self.note(node, node.args[0], given[0], frozenset({node}))
            if name in _SAME or changes_in_place(node):
                return on if on.sites and _is_local(on) else _union(given[:1])
            if name in VIEWS and self.own(function) is None:
                first = given[0] if given and not _is_local(on) else on
                return Held(first.sites, True)
        fresh = Held(frozenset({Site("made", node)}))
        if name in OVER:
            return _union(given)
        made = self.own(function)
        if made is not None:
            return self.own_call(node, made, given, named) or fresh
        arguments = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "input")]
        if not arguments or isinstance(arguments[0], ast.Starred):
            return fresh
        first = given[0] if node.args else named["input"]
        if name in FUNCTIONS and is_in_place(node, FUNCTIONS[name] + 1) and self.is_function(node):
            self.functions.firsts.homes[node] = self.place.home
            self.note(node, arguments[0], first, frozenset({node}), direct=True)
            return first
        firsts, place = self.functions.firsts, self.place
        module = function.value if name == "forward" else function  # type: ignore[attr-defined]
        by = firsts.changing(module, place)
        if by:
            direct = firsts.is_layer(module, place)
            self.note(node, arguments[0], first, by, direct)
            if direct:
                return first
        return first | fresh if firsts.passes(module, place) else fresh

    def is_function(self, node: ast.Call) -> bool:
        """Whether a name such as relu isn't one of the project's own."""
        function = node.func
        return not isinstance(function, ast.Name) or self.place.named(function.id) is None

    def own(self, function: ast.expr) -> Function | None:
        """The function of the project that a call runs, if it is no layer's."""
        entry = self.place.entry
        if isinstance(function, ast.Name):
            named = self.place.named(function.id)
            return named if isinstance(named, Function) and named.entry is None else None
        if isinstance(function, ast.Attribute) and is_self(function.value) and entry is not None:
            member = entry.member(function.attr)
            return member if isinstance(member, Function) else None
        above = function.value if isinstance(function, ast.Attribute) else None
        if isinstance(above, ast.Call) and leaf(above.func) == "super" and entry is not None:
            for one in entry.lineage[1:]:
                if isinstance(found := one.members.get(leaf(function)), Function):
                    return found
        return None

    def own_call(
        self, node: ast.Call, made: Function, given: list[Held], named: dict[str | None, Held]
    ) -> Held:
        """A function of the project is called: what it changes is changed here."""
        summary = self.functions.of(made)
        if summary is None:
            return _NOTHING
        names = parameters(made)
        every = [*zip(names, node.args, given, strict=False)]
        every += [(k.arg or "", k.value, named[k.arg]) for k in node.keywords]
        held = _NOTHING
        for name, argument, one in every:
            if by := summary.changed.get(name):
                self.note(node, argument, one, frozenset(by))
            if name in summary.given:
                held |= one
        return held

    # What is changed.

    def note(
        self, node: ast.Call, argument: ast.expr, held: Held, by: frozenset[ast.Call],
        direct: bool = False,
    ) -> None:  # fmt: skip
        """A call changes what an argument holds: who sees it is kept in mind."""
        change = self.found.setdefault(
            node, Change(node, self.statement, argument, by, direct=direct)
        )
        live = self.live.after(self.statement) - _targets(self.statement)
        pending = _pending(self.statement, node)
        holding = {n for n in {*live, *pending} if self.now.get(n, _NOTHING).sites & held.sites}
        names = {n for n in holding if not self.now[n].inside}
        parameters = {str(s.of) for s in held.sites if s.kind == "parameter"}
        for name in parameters:
            self.summary.changed.setdefault(name, set()).update(by)
        outside = any(one.kind == "outside" for one in held.sites)
        outside = outside and not isinstance(argument, ast.Call)
        change.by |= by
        change.names |= names
        change.parameters |= parameters
        change.seen |= outside or names != holding or bool(names & pending)
        change.seen |= bool(held.sites & self.escaped)
        change.view |= held.view
        sole = len(held.sites) == 1 and isinstance(argument, ast.Name)
        change.sure &= sole and all(self.now.get(n) == held for n in names)


def _targets(statement: ast.stmt) -> Set[str]:
    return liveness.bound(statement) if isinstance(statement, ast.Assign) else frozenset()


def _pending(statement: ast.stmt, call: ast.Call) -> Set[str]:
    """The names that a statement has read before a call and still holds, or reads after it."""
    found: set[str] = set()
    ahead: list[ast.AST] = [one for one in children(statement) if isinstance(one, ast.expr)]
    for node in ahead:
        if node is call:
            continue
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                found.add(node.id)
        elif not (isinstance(node, ast.Call) and _is_before(node, call)):
            ahead += children(node)
    return found


def _is_before(node: ast.Call, call: ast.Call) -> bool:
    end = (node.end_lineno or 0, node.end_col_offset or 0)
    return end <= (call.lineno, call.col_offset)


def _union(held: Iterable[Held]) -> Held:
    found = _NOTHING
    for one in held:
        found |= one
    return found


def _is_local(held: Held) -> bool:
    return any(one.kind != "outside" for one in held.sites)
