"""Dicts of classes and functions by name that a source writes once, and never changes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.code.tree import Nodes
from msmap.infer.values.lattice import Keyed, Value, shared

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

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
    if reading.finds_by_text or (place is not None and not place.is_only_asked(target.id)):
        return found
    return Keyed(found.keys, tuple(map(shared, found.values)), fixed=True)


def only_asks(nodes: Nodes, word: str) -> bool:
    """Whether a source that imports a name from elsewhere does no more than ask what it stands for.

    It takes it by that name, sets it nowhere, and says it in no text but in ``__all__``.
    """
    asked = _asked(nodes)
    taken = [one for one in nodes.of(ast.alias) if one.name.rpartition(".")[2] == word]
    if any(one.asname not in (None, word) for one in taken):
        return False
    if any(one.asname == word for one in nodes.of(ast.alias) if one not in taken):
        return False
    if any(one not in asked for one in nodes.names.get(word, ())):
        return False
    if any(one.attr == word and one not in asked for one in nodes.of(ast.Attribute)):
        return False
    set_to = [(target, one.value) for one in nodes.of(ast.Assign) for target in one.targets]
    set_to += ((one.target, one.value) for one in nodes.of(ast.AugAssign))
    listed = {
        id(one)
        for target, value in set_to
        if isinstance(target, ast.Name) and target.id == "__all__"
        for one in ast.walk(value)
    }
    listed |= {id(one.value) for one in nodes.of(ast.Expr)}
    if any(
        isinstance(one.value, str) and word in one.value and id(one) not in listed
        for one in nodes.of(ast.Constant)
    ):
        return False
    named = {one.arg for one in nodes.of(ast.keyword)} | nodes.parameters
    return word not in named


def _asked(nodes: Nodes) -> set[ast.expr]:
    """What is only asked for values or keys."""
    asked: set[ast.expr] = {
        node.value for node in nodes.of(ast.Subscript) if isinstance(node.ctx, ast.Load)
    }
    for call in nodes.of(ast.Call):
        asked.update(_given(call))
    for test in nodes.of(ast.Compare):
        if isinstance(test.ops[0], ast.In | ast.NotIn):
            asked.add(test.comparators[0])
    asked.update(loop.iter for loop in nodes.of(ast.For))
    asked.update(loop.iter for loop in nodes.of(ast.comprehension))
    return asked


def unchanged(nodes: Nodes) -> frozenset[str]:
    """The names that are bound once, by ``=``, and are only asked for values or keys."""
    asked = _asked(nodes)
    return frozenset(
        name
        for name, found in nodes.names.items()
        if sum(isinstance(one.ctx, ast.Store) for one in found) == 1
        and all(isinstance(one.ctx, ast.Store) or one in asked for one in found)
    )


def bindings(nodes: Nodes) -> dict[str, list[ast.expr | None]]:
    """What each name is bound to; None where that isn't ``=``, and of parameters."""
    found: dict[str, list[ast.expr | None]] = {}
    plain: dict[ast.AST, ast.expr | None] = {}
    for made in nodes.of(ast.Assign):
        plain.update((target, made.value) for target in made.targets)
    for typed in nodes.of(ast.AnnAssign):
        plain[typed.target] = typed.value
    for name, named in nodes.names.items():
        stored = [plain.get(one) for one in named if not isinstance(one.ctx, ast.Load)]
        if stored or name in nodes.parameters:
            found[name] = [*stored, *([None] if name in nodes.parameters else [])]
    return found


def _given(call: ast.Call) -> list[ast.expr]:
    """What a call only asks: the object of its method, or what a function of Python's is given."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return [function.value] if function.attr in _ASKING else []
    return call.args if isinstance(function, ast.Name) and function.id in _OF_KEYS else []
