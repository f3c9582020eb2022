"""Attributes that a source sets by texts: what else sets them tells nothing of what they are."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from msmap.code.source import Source
from msmap.code.tree import Nodes
from msmap.infer import computed_names

_WORDS = ("setattr", "patch", "__dict__", "vars(")


@dataclass(frozen=True, slots=True)
class Patched:
    """The attributes that are set by a text: their names, and patterns of those put together."""

    names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()

    def sets(self, name: str) -> bool:
        """Whether an attribute may be one of them."""
        return name in self.names or any(re.fullmatch(one, name) for one in self.patterns)


def read(source: Source) -> Patched:
    """The attributes that a source sets by a text.

    What may set any at all is told of classes alone, by ``sets_any``: scripts set what they are
    configured with so, on objects that have nothing to do with PyTorch.
    """
    if not source.mentions(*_WORDS):
        return Patched()
    names: set[str] = set()
    patterns: set[str] = set()
    for _, wanted in _pairs(source.nodes):
        for one in computed_names.values(source.nodes, wanted) if wanted is not None else ():
            if isinstance(one, ast.Constant):
                names.add(str(one.value).rpartition(".")[2])
            patterns.update(computed_names.patterns(source.nodes, one))
    return Patched(frozenset(names), frozenset(patterns - {computed_names.ANY}))


def sets_any(source: Source, node: ast.ClassDef) -> bool:
    """Whether a class sets attributes of ``self`` by names that come from elsewhere."""
    if not source.mentions(*_WORDS):
        return False
    nodes = Nodes(node)
    return any(
        isinstance(of, ast.Name)
        and of.id == "self"
        and (wanted is None or computed_names.ANY in computed_names.patterns(nodes, wanted))
        for of, wanted in _pairs(nodes)
    )


def binds_any(node: ast.expr) -> bool:
    """Whether a call binds names of the source that it doesn't write out."""
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        return node.func.attr == "update" and is_globals(node.func.value)
    return computed_names.leaf(node.func) == "exec"


def is_globals(node: ast.expr, outside: bool = False) -> bool:
    """Whether a dict is that of the source's own names; ``outside`` of functions others are too."""
    if not isinstance(node, ast.Call) or node.args:
        return False
    return computed_names.leaf(node.func) in (
        ("globals", "vars", "locals") if outside else ("globals",)
    )


def _pairs(nodes: Nodes) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Each object that gets an attribute by a text, and the text; None for any attributes."""
    for call in nodes.of(ast.Call):
        yield from _called(call)
    for node in nodes.of(ast.Subscript):
        if isinstance(node.ctx, ast.Store):
            of = _owner(node.value)
            if of is not None:
                yield of, node.slice


def _called(call: ast.Call) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    name, given = computed_names.leaf(call.func), call.args
    on = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name in ("setattr", "__setattr__") and len(given) > _NAMED:
        yield given[0], given[1]
    elif name == "__setattr__" and on is not None and given:
        yield on, given[0]
    elif (
        name == "object"
        and on is not None
        and computed_names.leaf(on) == "patch"
        and len(given) > 1
    ):
        yield given[0], given[1]
    elif name in ("patch", "setattr") and given:
        yield given[0], given[0]
    elif name == "update" and on is not None and (of := _owner(on)) is not None:
        for key in (key for one in given for key in getattr(one, "keys", [None])):
            yield of, key
        for keyword in call.keywords:
            yield of, ast.Constant(keyword.arg) if keyword.arg is not None else None


# How many arguments of setattr stand before the value.
_NAMED = 2


def _owner(node: ast.expr) -> ast.expr | None:
    """Whose attributes a dict holds: ``x.__dict__`` or ``vars(x)``; None of any other."""
    if isinstance(node, ast.Attribute) and node.attr == "__dict__":
        return node.value
    if isinstance(node, ast.Call) and computed_names.leaf(node.func) == "vars" and node.args:
        return node.args[0]
    return None
