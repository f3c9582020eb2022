"""All nodes of a tree by their type, found in one walk: a walk takes nearly as long as parsing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)

KINDS = [kind for kind in vars(ast).values() if isinstance(kind, type) and hasattr(kind, "_fields")]
# Fields of nodes that hold names, numbers or operators, and types of node that hold nothing else.
_LEAVES = frozenset(
    ("arg", "asname", "attr", "conversion", "ctx", "id", "is_async", "kind", "kwd_attrs", "level",
     "module", "op", "ops", "rest", "simple", "type_comment", "type_ignores")
)  # fmt: skip
_EMPTY = (ast.Constant, ast.Global, ast.Nonlocal, ast.MatchSingleton)
# By type of node, the fields in which other nodes stand.
PARTS = {
    kind: () if kind in _EMPTY else tuple(f for f in kind._fields if f not in _LEAVES)
    for kind in KINDS
}


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes directly in a node, but for operators and the like: sooner than ast's own."""
    found: list[Any] = []
    for name in PARTS[node.__class__]:
        value: Any = getattr(node, name, None)
        if value.__class__ is list:
            found += [one for one in value if one.__class__ in PARTS]
        elif value.__class__ in PARTS:
            found.append(value)
    return found


class Nodes:
    """The nodes of a tree, the outer first; operators and the like are none."""

    def __init__(self, tree: ast.AST) -> None:
        self.tree = tree

    @cached_property
    def _by_type(self) -> Mapping[type[ast.AST], Sequence[ast.AST]]:
        found: dict[type[ast.AST], list[ast.AST]] = {}
        nodes = [self.tree]
        for node in nodes:
            kind = node.__class__
            if kind in found:
                found[kind].append(node)
            else:
                found[kind] = [node]
            nodes += children(node)
        return found

    def of(self, *kinds: type[Node]) -> Iterator[Node]:
        """The nodes of some types, one type after another."""
        for kind in kinds:
            yield from self._by_type.get(kind, ())  # type: ignore[misc]

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """What each node stands in, the outer nodes first; the tree itself stands in nothing."""
        found: dict[ast.AST, ast.AST] = {}
        nodes = [self.tree]
        for node in nodes:
            inside = children(node)
            for one in inside:
                found[one] = node
            nodes += inside
        return found

    @property
    def levels(self) -> int:
        """How deeply nodes are nested."""
        depth, level = 0, [self.tree]
        while level:
            depth += 1
            level = [inner for node in level for inner in children(node)]
        return depth

    @cached_property
    def names(self) -> Mapping[str, Sequence[ast.Name]]:
        """The nodes that name each variable."""
        found: dict[str, list[ast.Name]] = {}
        for node in self.of(ast.Name):
            found.setdefault(node.id, []).append(node)
        return found

    @cached_property
    def attributes(self) -> Mapping[str, Sequence[ast.Attribute]]:
        """The attributes of each name."""
        found: dict[str, list[ast.Attribute]] = {}
        for node in self.of(ast.Attribute):
            found.setdefault(node.attr, []).append(node)
        return found

    @cached_property
    def said(self) -> frozenset[str]:
        """All names that the tree binds or reads as variables."""
        every = {*self.names} | self.parameters
        every |= {node.name for node in self.of(ast.FunctionDef)}
        every |= {node.name for node in self.of(ast.AsyncFunctionDef)}
        every |= {node.name for node in self.of(ast.ClassDef)}
        imports = [a for node in self.of(ast.Import) for a in node.names]
        imports += [a for node in self.of(ast.ImportFrom) for a in node.names]
        return frozenset(every | {(a.asname or a.name).partition(".")[0] for a in imports})

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The names of all parameters."""
        return frozenset(node.arg for node in self.of(ast.arg))


def loaded(target: ast.expr) -> ast.expr:
    """What an augmented assignment reads: the same nodes, read rather than written."""
    if target.__class__ is ast.Name:
        return ast.Name(target.id, ast.Load())
    if target.__class__ is ast.Attribute:
        return ast.Attribute(target.value, target.attr, ast.Load())
    return target
