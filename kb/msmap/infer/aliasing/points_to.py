"""Who holds which object: points-to sets of a function's names, statement by statement."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msmap.infer.aliasing import calls, sharing
from msmap.infer.aliasing.heap import (
    ANY,
    NOTHING,
    OTHER,
    STORED,
    Origin,
    Origins,
    Parameter,
    State,
    change,
    few,
    hold,
    joined,
    kind_of,
    maker,
    merged,
    view,
)
from msmap.infer.effects import VIEWS, WHOLE
from msmap.infer.liveness import Lines

if TYPE_CHECKING:
    from msmap.infer.aliasing.augmented import Aliases


class Holders:
    """The points-to sets within one function, or in the module."""

    def __init__(self, all_of: Aliases, node: ast.AST, outer: Holders | None) -> None:
        self.all, self.heap, self.node, self.outer = all_of, all_of.heap, node, outer
        self.reading = all_of.reading
        self.state: State = {}
        self.ever: State = {}
        self.elsewhere: set[str] = set()
        self.holding: dict[ast.AST, set[str]] = {}
        self.loops: list[ast.stmt] = []
        self.leaving: list[list[State]] = []
        self.lines: Lines | None = None
        # What is being run.
        self.statement: ast.stmt | None = None

    # Names.

    def bind(self, name: str, found: Origins) -> None:
        self.state[name] = found = few(found)
        self._index(name, found)
        self.ever[name] = few(self.ever.get(name, NOTHING) | found)
        if name in self.elsewhere:
            self.store(found)

    def lookup(self, name: str) -> Origins:
        here: Holders | None = self
        if name not in self.elsewhere and (found := self.state.get(name)) is not None:
            return found
        here = self.outer
        while here is not None:
            if name in here.ever:
                return hold(here.ever[name])
            here = here.outer
        value = self.reading.module.ever.get(name)
        return self.heap.filled(Origin(("global", name), kind_of(value), held=True), value)

    def new(self, node: ast.AST, kind: str) -> Origins:
        """An object that this expression makes; what it made before is another one."""
        if kind == "other":
            return OTHER
        state = self.state
        for name in self.holding.get(node, ()):
            if name in state:
                state[name] = frozenset(
                    replace(one, old=True) if maker(one.where) is node else one
                    for one in state[name]
                )
        return frozenset({Origin(node, kind)})

    def _index(self, name: str, found: Origins) -> None:
        """Keep in mind which names may hold what an expression made."""
        for one in found:
            made = maker(one.where)
            if isinstance(made, ast.AST):
                self.holding.setdefault(made, set()).add(name)

    def store(self, found: Origins) -> None:
        """Others may refer to something from here on."""
        kept = found - OTHER
        if kept:
            self.state[STORED] = self.state.get(STORED, NOTHING).union(kept)
            self._index(STORED, kept)

    # Statements.

    def block(self, body: Sequence[ast.stmt]) -> bool:
        """Whether the place after some statements is never reached."""
        for node in body:
            self.statement = node
            run = getattr(self, f"_{type(node).__name__.lower()}", None)
            if run is not None:
                if run(node):
                    return True
            else:
                for part in ast.iter_child_nodes(node):
                    if isinstance(part, ast.expr):
                        self.eval(part)
        return False

    def _return(self, node: ast.Return) -> bool:
        if node.value is not None:
            self.heap.add(self.heap.results, self.node, self.eval(node.value))
        return True

    def _raise(self, _: ast.Raise) -> bool:
        return True

    def _break(self, _: ast.stmt) -> bool:
        if self.leaving:
            self.leaving[-1].append(dict(self.state))
        return True

    _continue = _break

    def _expr(self, node: ast.Expr) -> None:
        self.eval(node.value)

    def _assign(self, node: ast.Assign) -> None:
        if len(node.targets) == 1 and self._pairwise(node.targets[0], node.value):
            return
        found = self.eval(node.value)
        kept = not isinstance(node.value, ast.Call) or len(node.targets) > 1
        for target in node.targets:
            self.assign(target, found, kept)

    def _pairwise(self, target: ast.expr, value: ast.expr) -> bool:
        """Assign ``a, b = x, y``, which makes no tuple that anybody keeps."""
        kinds = (ast.Tuple, ast.List)
        if not isinstance(target, kinds) or not isinstance(value, kinds):
            return False
        every = [*target.elts, *value.elts]
        if len(target.elts) != len(value.elts) or any(isinstance(x, ast.Starred) for x in every):
            return False
        found = [self.eval(part) for part in value.elts]
        for one, origins in zip(target.elts, found, strict=True):
            self.assign(one, origins)
        return True

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.eval(node.value))

    def assign(self, target: ast.expr, found: Origins, kept: bool = True) -> None:
        """Bind a target; ``kept`` says that others may keep what is unpacked."""
        if isinstance(target, ast.Name):
            self.bind(target.id, found)
        elif isinstance(target, ast.Tuple | ast.List):
            for number, part in enumerate(target.elts):
                if isinstance(part, ast.Starred):
                    inner = self.new(part, "container")
                    self.heap.put(inner, ANY, self.heap.get(found))
                    self.assign(part.value, inner)
                else:
                    inner = self.heap.get(found, number)
                    self.assign(part, hold(inner) if kept else inner, kept)
        elif isinstance(target, ast.Attribute):
            self.eval(target.value)
            self.heap.add(self.heap.fields, target.attr, hold(found))
            self.store(found)
        elif isinstance(target, ast.Subscript):
            base = self.eval(target.value)
            self.eval(target.slice)
            if self.statement is not None:
                sharing.written(self, self.statement, base, target)
            containers = [one for one in base if one.kind != "tensor"]
            if containers:
                self.heap.put(containers, ANY, found)
                self.store(found)

    def _augassign(self, node: ast.AugAssign) -> None:
        added = self.eval(node.value)
        target = node.target
        if isinstance(target, ast.Name):
            before = self.lookup(target.id)
            self.note(node, before, target.id)
            sharing.written(self, node, before, target)
            kept = before - OTHER
            if len(kept) < len(before) or not kept:
                kept |= self.combined(node, before, added)
            self.bind(target.id, kept)
            return
        before = self.eval(target)
        base = self.eval(target.value) if isinstance(target, ast.Subscript) else NOTHING
        self.note(node, before, None, base)
        sharing.written(self, node, before | base, target)
        if isinstance(target, ast.Attribute):
            made = self.combined(node, before, added)
            self.heap.add(self.heap.fields, target.attr, hold(made))

    def combined(self, node: ast.AST, left: Origins, right: Origins) -> Origins:
        """What an operator makes."""
        kinds = {one.kind for one in self.heap.resolved(left | right)}
        if "tensor" in {one.kind for one in left} or ("tensor" in kinds and "unknown" not in kinds):
            return self.new(node, "tensor")
        return OTHER if kinds <= {"other"} else self.new(node, "unknown")

    def note(
        self, node: ast.AST, found: Origins, name: str | None, base: Origins = NOTHING
    ) -> None:
        """A tensor is changed here, or may be."""
        others = [
            them
            for one, them in self.state.items()
            if one == STORED or (one != name and self.is_read(one, node))
        ]
        read = name is None or self.is_read(name, node)
        made = change(self.heap, found, others, base, read)
        self.all.changes[node] = joined(self.all.changes.get(node), made)

    def is_read(self, name: str, node: Any) -> bool:
        """Whether a name is read after a statement, as far as lines tell."""
        if self.lines is None:
            self.lines = Lines(self.node)
        loop = self.loops[0].lineno if self.loops else None
        return name in self.elsewhere or self.lines.are_after(name, node, loop)

    def _if(self, node: ast.If) -> bool:
        self.eval(node.test)
        before = self.state
        ends = []
        for body in (node.body, node.orelse):
            self.state = dict(before)
            if not self.block(body):
                ends.append(self.state)
        self.state = merged(ends) if ends else before
        return not ends

    def loop(self, node: ast.stmt, body: Sequence[ast.stmt], start: Callable[[], None]) -> None:
        self.loops.append(node)
        for _ in range(2):
            entered = dict(self.state)
            self.leaving.append([])
            start()
            ended = self.block(body)
            ways = [entered, *self.leaving.pop(), *([] if ended else [self.state])]
            self.state = merged(ways)
        self.loops.pop()

    def _for(self, node: ast.For) -> None:
        over = self.eval(node.iter)
        self.loop(node, node.body, lambda: self.assign(node.target, self.heap.get(over)))
        self.block(node.orelse)

    _asyncfor = _for

    def _while(self, node: ast.While) -> None:
        def start() -> None:
            self.eval(node.test)

        self.loop(node, node.body, start)
        self.block(node.orelse)

    def _with(self, node: ast.With) -> bool:
        for part in node.items:
            found = self.eval(part.context_expr)
            if part.optional_vars is not None:
                self.assign(part.optional_vars, found)
        return self.block(node.body)

    _asyncwith = _with

    def _try(self, node: Any) -> bool:
        before = dict(self.state)
        ended = self.block(node.body) or self.block(node.orelse)
        ends = [] if ended else [self.state]
        within = merged([before, self.state])
        for handler in node.handlers:
            self.state = dict(within)
            if not self.block(handler.body):
                ends.append(self.state)
        self.state = merged(ends) if ends else within
        return self.block(node.finalbody) or not ends

    _trystar = _try

    def _match(self, node: ast.Match) -> None:
        subject = self.eval(node.subject)
        before = self.state
        ends = [before]
        for case in node.cases:
            self.state = dict(before)
            for part in ast.walk(case.pattern):
                name = getattr(part, "name", None) or getattr(part, "rest", None)
                if isinstance(name, str):
                    self.bind(name, hold(subject | self.heap.get(subject)))
            if not self.block(case.body):
                ends.append(self.state)
        self.state = merged(ends)

    def _global(self, node: Any) -> None:
        self.elsewhere.update(node.names)

    _nonlocal = _global

    def _functiondef(self, node: Any) -> None:
        spec = node.args
        placed = [*spec.posonlyargs, *spec.args]
        given = [*zip(reversed(placed), reversed(spec.defaults), strict=False)]
        given += zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        for one, default in given:
            if default is not None:
                found = self.eval(default)
                self.store(found)
                if not isinstance(default, ast.Constant):
                    self.heap.add(self.heap.passed, Parameter(node, one.arg), hold(found))
        self.all.inner.append((node, self))
        self.bind(node.name, OTHER)

    _asyncfunctiondef = _functiondef

    def _classdef(self, node: ast.ClassDef) -> None:
        inner = Holders(self.all, node, self)
        inner.block(node.body)
        for name, found in inner.ever.items():
            self.heap.add(self.heap.fields, name, hold(found))
        self.bind(node.name, OTHER)

    # Expressions.

    def eval(self, node: ast.expr) -> Origins:
        run = _EXPRESSIONS.get(type(node))
        if run is not None:
            return run(self, node)
        for part in ast.iter_child_nodes(node):
            if isinstance(part, ast.expr):
                self.eval(part)
        return OTHER

    def name(self, node: ast.Name) -> Origins:
        return self.lookup(node.id)

    def attribute(self, node: ast.Attribute) -> Origins:
        base = self.eval(node.value)
        name, value = node.attr, self.reading.values.get(node)
        if name == "__dict__":
            return calls.attributes(self, node)
        if (view_of := sharing.array(self, node, base, name)) is not None:
            return view_of
        kinds = {one.kind for one in base}
        if value is None and kinds and "tensor" in kinds | self.kinds(base):
            if name in WHOLE:
                return base
            if name in VIEWS:
                return view(base)
            if name == "grad":
                return frozenset({Origin(("attribute", name), held=True)})
            return OTHER
        if value is None and name == "data" and "unknown" in kinds:
            return base
        kind = kind_of(value)
        fields = self.heap.fields.get(name, NOTHING)
        containers = [one for one in fields if one.kind == "container"]
        if kind == "other":
            return OTHER
        if containers and kind in ("unknown", "container"):
            return frozenset(fields)
        is_told = kind == "unknown" and bool(fields) and name not in self.reading.outside
        if is_told and self.kinds(fields) <= {"tensor", "other"}:
            return hold(fields)
        if kind == "unknown" and name in self.heap.set_by_name:
            return hold(self.heap.named(name))
        place = "view" if any(one.place for one in fields) else ""
        return frozenset({Origin(("attribute", name), kind, place, held=True)})

    def kinds(self, found: Origins) -> set[str]:
        return {one.kind for one in self.heap.resolved(found)}

    def subscript(self, node: ast.Subscript) -> Origins:
        base = self.eval(node.value)
        index = self.eval(node.slice)
        key: object = ANY
        if isinstance(node.slice, ast.Constant):
            key = node.slice.value
        if any(one.kind == "tensor" for one in base):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if isinstance(node.slice, ast.Tuple):
                index = frozenset().union(*(self.eval(part) for part in parts))
            if sharing.selects(parts) or "tensor" in self.kinds(index):
                return self.new(node, "tensor")
            return view(base, "part") | self.heap.get([x for x in base if x.kind != "tensor"], key)
        if arrays := sharing.arrays(base):
            return sharing.item(node, arrays)
        if isinstance(node.slice, ast.Slice):
            return base
        return hold(self.heap.get(base, key))

    def sequence(self, node: Any) -> Origins:
        made = self.new(node, "container")
        for number, part in enumerate(node.elts):
            if isinstance(part, ast.Starred):
                self.heap.put(made, ANY, self.heap.get(self.eval(part.value)))
                continue
            found = self.eval(part)
            self.heap.put(made, number if isinstance(node, ast.Tuple | ast.List) else ANY, found)
            self.store(found)
        return made

    def dict(self, node: ast.Dict) -> Origins:
        made = self.new(node, "container")
        for key, part in zip(node.keys, node.values, strict=True):
            found = self.eval(part)
            if key is None:
                self.heap.put(made, ANY, self.heap.get(found))
            else:
                name = key.value if isinstance(key, ast.Constant) else ANY
                self.heap.put(made, name, found)
                self.store(found)
        return made

    def comprehension(self, node: Any) -> Origins:
        before = dict(self.state)
        for part in node.generators:
            self.assign(part.target, self.heap.get(self.eval(part.iter)))
            for test in part.ifs:
                self.eval(test)
        made = self.new(node, "container")
        value = node.value if isinstance(node, ast.DictComp) else node.elt
        found = self.eval(value)
        self.heap.put(made, ANY, found)
        stored = self.state.get(STORED, NOTHING)
        self.state = before
        self.state[STORED] = stored
        self.store(found)
        return made

    def binary(self, node: ast.BinOp) -> Origins:
        left, right = self.eval(node.left), self.eval(node.right)
        if any(one.kind == "container" for one in left):
            return left | right
        return self.combined(node, left, right)

    def unary(self, node: ast.UnaryOp) -> Origins:
        found = self.eval(node.operand)
        if isinstance(node.op, ast.UAdd):
            return found
        return OTHER if isinstance(node.op, ast.Not) else self.combined(node, found, found)

    def compare(self, node: ast.Compare) -> Origins:
        found = [self.eval(part) for part in (node.left, *node.comparators)]
        if isinstance(node.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
            return OTHER
        return self.combined(node, found[0], found[1])

    def boolean(self, node: ast.BoolOp) -> Origins:
        return NOTHING.union(*(self.eval(part) for part in node.values))

    def choice(self, node: ast.IfExp) -> Origins:
        self.eval(node.test)
        return self.eval(node.body) | self.eval(node.orelse)

    def walrus(self, node: ast.NamedExpr) -> Origins:
        found = self.eval(node.value)
        self.bind(node.target.id, found)
        return found

    def within(self, node: Any) -> Origins:
        """What is given out of a generator, or what is awaited."""
        found = OTHER if node.value is None else self.eval(node.value)
        if isinstance(node, ast.Await):
            return frozenset({Origin(("call", "await"), held=True)})
        self.store(found)
        made = frozenset({Origin(self.node, "container")})
        inner = self.heap.get(found) if isinstance(node, ast.YieldFrom) else found
        self.heap.put(made, ANY, inner)
        self.heap.add(self.heap.results, self.node, made)
        return frozenset({Origin(("call", "yield"), held=True)})

    def call(self, node: ast.Call) -> Origins:
        return calls.result(self, node)


_EXPRESSIONS: dict[type[ast.AST], Callable[[Any, Any], Origins]] = {
    ast.Name: Holders.name, ast.Attribute: Holders.attribute, ast.Subscript: Holders.subscript,
    ast.Tuple: Holders.sequence, ast.List: Holders.sequence, ast.Set: Holders.sequence,
    ast.Dict: Holders.dict, ast.ListComp: Holders.comprehension,
    ast.SetComp: Holders.comprehension, ast.GeneratorExp: Holders.comprehension,
    ast.DictComp: Holders.comprehension, ast.BinOp: Holders.binary, ast.UnaryOp: Holders.unary,
    ast.Compare: Holders.compare, ast.BoolOp: Holders.boolean, ast.IfExp: Holders.choice,
    ast.NamedExpr: Holders.walrus, ast.Await: Holders.within, ast.Yield: Holders.within,
    ast.YieldFrom: Holders.within, ast.Call: Holders.call,
}  # fmt: skip
