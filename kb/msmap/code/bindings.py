"""Where statements stand: their block, what is around it, and the names that they bind and read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from msmap.code.tree import PARTS, children

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_NAMED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_INNER = frozenset((*SCOPES, *_COMPREHENSIONS))
_BLOCKS = ("body", "orelse", "finalbody")
_BINDING_NOTHING = (ast.Expr, ast.Return, ast.If, ast.While, ast.Assert, ast.Raise, ast.Pass)
_PLAIN = frozenset(_BINDING_NOTHING)
# Statements without blocks.
_LEAVES = frozenset(
    (ast.Expr, ast.Return, ast.Assert, ast.Raise, ast.Pass, ast.Assign, ast.AugAssign,
     ast.AnnAssign, ast.Delete, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Break,
     ast.Continue)
)  # fmt: skip
_NAMING = (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)


@dataclass(eq=False)
class Place:
    """A statement in its block; ``around`` is the place of the statement that the block is in."""

    node: ast.stmt
    block: Sequence[ast.stmt]
    index: int
    around: Place | None

    def outward(self) -> Iterator[Place]:
        """The places around this one, the nearest first, as far as the function reaches."""
        place = self.around
        while place is not None and not isinstance(place.node, (*_NAMED,)):
            yield place
            place = place.around


@dataclass(eq=False)
class Body:
    """What runs together: a module or a function, with the places of all its statements.

    ``outer`` is the body that it stands in, where names that it doesn't bind are looked for;
    ``owner`` is the class whose method it is.
    """

    node: ast.Module | ast.FunctionDef | ast.AsyncFunctionDef
    outer: Body | None = None
    owner: ast.ClassDef | None = None
    places: list[Place] = field(default_factory=list)
    bindings: dict[str, list[ast.stmt]] = field(default_factory=dict)

    @cached_property
    def reads(self) -> dict[str, list[ast.Name]]:
        """The names that its node reads as a whole, each with where."""
        found: dict[str, list[ast.Name]] = {}
        for node in read(self.node):
            found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def unpacked(self) -> frozenset[ast.AST]:
        """What ``**`` unpacks in its calls."""
        found: set[ast.AST] = set()
        ahead: list[ast.AST] = [self.node]
        for node in ahead:
            if node.__class__ is ast.Call:
                found.update(k.value for k in node.keywords if k.arg is None)
            ahead += children(node)
        return frozenset(found)

    @cached_property
    def parameters(self) -> set[str]:
        """The names of a function's parameters."""
        if isinstance(self.node, ast.Module):
            return set()
        given = self.node.args
        every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        every += [one for one in (given.vararg, given.kwarg) if one is not None]
        return {one.arg for one in every}


def bodies(tree: ast.Module, walrus: bool = True) -> list[Body]:
    """The module and all functions defined by statements, the outer first.

    ``walrus`` says that there may be ``:=``, which binds names anywhere in an expression.
    """
    found = [Body(tree)]
    for body in found:
        _collect(body, body.node.body, None, body.owner, walrus, found)
    return found


def _collect(
    body: Body,
    block: Sequence[ast.stmt],
    around: Place | None,
    owner: ast.ClassDef | None,
    walrus: bool,
    found: list[Body],
) -> None:
    """Put the statements of a block into a body, and the functions in it behind those found."""
    in_class = around is not None and around.node.__class__ is ast.ClassDef
    bindings = body.bindings
    for index, node in enumerate(block):
        place = Place(node, block, index, around)
        kind = node.__class__
        if not in_class:
            body.places.append(place)
            if walrus or kind not in _PLAIN:
                for name in bound(node, walrus):
                    bindings.setdefault(name, []).append(node)
        if kind in _LEAVES:
            continue
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(Body(node, body, owner if in_class else None))
        elif isinstance(node, ast.ClassDef):
            _collect(body, node.body, place, node, walrus, found)
        else:
            for inner in blocks(node):
                _collect(body, inner, place, owner, walrus, found)


def blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks directly in a statement."""
    for name in _BLOCKS:
        if inner := getattr(node, name, None):
            yield inner
    for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
        yield part.body


def bound(node: ast.stmt, walrus: bool = True) -> set[str]:
    """The names that a statement itself binds, without those of blocks in it."""
    if isinstance(node, _NAMED):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).partition(".")[0] for a in node.names}
    found: set[str] = set()
    where = [node] if walrus else _binding(node)
    if not walrus and all(one.__class__ is ast.Name for one in where):
        return {one.id for one in where}  # type: ignore[attr-defined]
    for one in (inner for outer in where for inner in own(outer, inner=False)):
        if one.__class__ is ast.Name:
            if one.ctx.__class__ is not ast.Load:
                found.add(one.id)
        elif one.__class__ in _NAMING and one.name:
            found.add(one.name)
    return found


def _binding(node: ast.stmt) -> Sequence[ast.AST]:
    """The parts of a statement in which it binds names, if not by ``:=``."""
    if isinstance(node, ast.Assign | ast.Delete):
        return node.targets
    if isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.AsyncFor):
        return [node.target]
    if isinstance(node, ast.With | ast.AsyncWith):
        return [item.optional_vars for item in node.items if item.optional_vars is not None]
    return () if isinstance(node, _BINDING_NOTHING) else [node]


def all_bound(node: ast.stmt) -> set[str]:
    """The names that a statement binds, with those of blocks in it."""
    found = bound(node)
    if not isinstance(node, _NAMED):
        for block in blocks(node):
            for inner in block:
                found |= all_bound(inner)
    return found


def changed(node: ast.stmt) -> set[str]:
    """The names whose objects a statement may change: ``x[0] = 1``, ``x.add_(1)``, ``del x.y``."""
    found: set[str] = set()
    for one in own(node):
        if isinstance(one, ast.Attribute | ast.Subscript) and not isinstance(one.ctx, ast.Load):
            found.add(root(one))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        found.add(root(node.value.func) if isinstance(node.value.func, ast.Attribute) else "")
    return found - {""}


def all_changed(node: ast.stmt) -> set[str]:
    """The same with those of blocks in it."""
    return changed(node).union(*(all_changed(one) for block in blocks(node) for one in block))


def root(node: ast.AST) -> str:
    """The name that a chain of attributes, calls and subscripts begins with; "" if none."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def read(node: ast.AST) -> list[ast.Name]:
    """The names that code reads, those of functions in it too, but for what they bind."""
    found: list[ast.Name] = []
    _read(node, frozenset(), found)
    return found


def _read(node: ast.AST, hidden: frozenset[str], found: list[ast.Name]) -> None:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id not in hidden:
            found.append(node)
        return
    if isinstance(node, SCOPES):
        every = [one.arg for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        hidden = hidden | {*every}
    elif isinstance(node, _COMPREHENSIONS):
        _read(node.generators[0].iter, hidden, found)
        targets = [g.target for g in node.generators]
        stored = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        hidden = hidden | stored
    changed = node.target if isinstance(node, ast.AugAssign) else None
    if isinstance(changed, ast.Name) and changed.id not in hidden:
        found.append(changed)
    for child in children(node):
        _read(child, hidden, found)


def own(node: ast.AST, inner: bool = True) -> Iterator[ast.AST]:
    """The nodes of a statement without blocks; without ``inner`` scopes only if that is asked."""
    ahead: list[ast.AST] = [node]
    while ahead:
        one = ahead.pop()
        yield one
        for name in PARTS[one.__class__]:
            value: Any = getattr(one, name, None)
            if value.__class__ is list and name in _BLOCKS:
                continue
            inside: list[Any] = value if value.__class__ is list else [value]
            nodes: list[Any] = [one for one in inside if one.__class__ in PARTS]
            ahead += nodes if inner else [n for n in nodes if n.__class__ not in _INNER]
