"""Dicts of classes and functions by name that a source writes once, and never changes."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from msmap.code.values import Keyed, Value, shared

if TYPE_CHECKING:
    from msmap.code.reading import Reading

# What asks a dict, and gives nobody the dict itself.
_ASKING = ("get", "keys", "values", "items")
_OF_KEYS = ("len", "list", "sorted", "tuple", "set", "print", "iter", "enumerate")


def kept(reading: Reading, targets: list[ast.expr], found: Value) -> Value:
    """What is assigned outside of functions; a dict is known all along where nobody changes it."""
    target = targets[0]
    if not isinstance(found, Keyed) or len(targets) > 1 or not isinstance(target, ast.Name):
        return found
    if reading.scope is not reading.module or target.id not in reading.unchanged:
        return found
    place = reading.place
    if reading.finds_by_text or (place is not None and place.is_told_elsewhere(target.id)):
        return found
    return Keyed(found.keys, tuple(map(shared, found.values)), fixed=True)


def unchanged(tree: ast.Module) -> frozenset[str]:
    """The names that are bound once, by ``=``, and are only asked for values or keys."""
    asked: set[ast.expr] = set()
    names: list[ast.Name] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.append(node)
        elif isinstance(node, ast.Subscript):
            if isinstance(node.ctx, ast.Load):
                asked.add(node.value)
        elif isinstance(node, ast.Call):
            asked.update(_given(node))
        elif isinstance(node, ast.Compare):
            if isinstance(node.ops[0], ast.In | ast.NotIn):
                asked.add(node.comparators[0])
        elif isinstance(node, ast.For | ast.comprehension):
            asked.add(node.iter)
    bound = Counter(one.id for one in names if isinstance(one.ctx, ast.Store))
    seen = {one.id for one in names if not isinstance(one.ctx, ast.Store) and one not in asked}
    return frozenset(name for name, times in bound.items() if times == 1 and name not in seen)


def _given(call: ast.Call) -> list[ast.expr]:
    """What a call only asks: the object of its method, or what a function of Python's is given."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return [function.value] if function.attr in _ASKING else []
    return call.args if isinstance(function, ast.Name) and function.id in _OF_KEYS else []
