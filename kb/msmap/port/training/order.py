"""Statements as they run: straight lines of them, and the names that they need."""

from __future__ import annotations

import ast
from collections.abc import Container, Sequence

from msmap.code import bindings

SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Assert)


def is_straight(node: ast.stmt) -> bool:
    """Whether a block is left at its end alone."""
    inner = [one for block in bindings.blocks(node) for one in block]
    return all(isinstance(n, _STRAIGHT) and is_straight(n) for n in inner)


_STRAIGHT = (*SIMPLE, ast.If, ast.For, ast.While, ast.With, ast.Pass)


def is_followed(node: ast.stmt, through: Container[ast.stmt] = ()) -> bool:
    """Whether what a statement does can be followed: no jumps, and no contexts but those gone."""
    inner = [one for block in bindings.blocks(node) for one in block]
    plain = isinstance(node, (*SIMPLE, ast.If, ast.For, ast.While, ast.Pass)) or node in through
    return plain and all(is_followed(one, through) for one in inner)


def needed_for(nodes: Sequence[ast.stmt], loss: ast.expr) -> set[ast.stmt]:
    """The statements by which a loss comes about, with those that change what others made."""
    taken: set[ast.stmt] = set()
    while True:
        before = len(taken)
        needed = {name.id for name in bindings.read(loss)}
        made = {name for node in taken for name in bindings.all_bound(node)}
        for node in reversed(nodes):
            found = bindings.all_bound(node) & needed or bindings.all_changed(node) & made
            if node in taken or found:
                taken.add(node)
                needed |= {name.id for name in bindings.read(node)}
        if len(taken) == before:
            return taken


def follow(nodes: Sequence[ast.stmt], made: set[str], free: list[ast.Name]) -> set[str]:
    """The names that are bound behind some statements, whatever they do; ``free`` gets all others.

    ``made`` are those that are bound ahead of them.
    """
    for node in nodes:
        if isinstance(node, ast.If):
            _read(node.test, made, free)
            ways = [follow(block, made, free) for block in (node.body, node.orelse)]
            made = ways[0] & ways[1]
        elif isinstance(node, ast.For | ast.While):
            _read(node.iter if isinstance(node, ast.For) else node.test, made, free)
            for block in (node.body, node.orelse):
                follow(block, made | bindings.bound(node), free)
        elif isinstance(node, ast.With):
            made = follow(node.body, made, free)
        else:
            _read(node, made, free)
            made = made | bindings.bound(node)
    return made


def _read(node: ast.AST, made: set[str], free: list[ast.Name]) -> None:
    free += [name for name in bindings.read(node) if name.id not in made]


def is_harmless(node: ast.stmt) -> bool:
    """Whether a statement that stands between may as well run where gradients are recorded."""
    if isinstance(node, ast.Assign):
        return all(isinstance(n, ast.Name | ast.Tuple) for n in node.targets)
    return isinstance(node, ast.Assert)
