"""What a test tells of names where it holds, or where it doesn't."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from msmap.infer.values.lattice import (
    ARRAY,
    CONTAINER,
    NONE,
    NUMPY,
    OTHER,
    PLAIN,
    TENSOR,
    UNKNOWN,
    Builtin,
    Class,
    Instance,
    Object,
    Path,
    Value,
    instance,
    joined,
    owner_kind,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

_PLAIN = ("int", "float", "bool", "str", "complex", "bytes")
_CONTAINERS = ("list", "tuple", "dict", "set", "frozenset")


def changes(reading: Reading, test: ast.expr, holds: bool) -> dict[str, Value]:
    """What names stand for where a test holds, or where it doesn't, if it tells."""
    kind = test.__class__
    if kind is ast.UnaryOp and test.op.__class__ is ast.Not:  # type: ignore[attr-defined]
        return changes(reading, test.operand, not holds)  # type: ignore[attr-defined]
    if kind is ast.BoolOp:
        if (test.op.__class__ is ast.And) is not holds:  # type: ignore[attr-defined]
            return {}
        found: dict[str, Value] = {}
        for part in test.values:  # type: ignore[attr-defined]
            found |= changes(reading, part, holds)
        return found
    if kind is ast.Call and holds:
        return _instance(reading, test)  # type: ignore[arg-type]
    if kind is ast.Compare:
        return _compared(reading, test, holds)  # type: ignore[arg-type]
    return {}


def _instance(reading: Reading, test: ast.Call) -> dict[str, Value]:
    if not test.args or test.args[0].__class__ is not ast.Name:
        return {}
    name: str = test.args[0].id
    function = reading.head(test.func)
    if isinstance(function, Path) and function.name == "torch.is_tensor":
        return {name: TENSOR}
    wanted = 2
    if function == Builtin("isinstance") and len(test.args) == wanted:
        return {name: of_type(reading, test.args[1])}
    return {}


def _compared(reading: Reading, test: ast.Compare, holds: bool) -> dict[str, Value]:
    on = test.left
    if isinstance(on, ast.Call) and reading.head(on.func) == Builtin("type") and len(on.args) == 1:
        on = on.args[0]
    elif isinstance(on, ast.Attribute) and on.attr == "__class__":
        on = on.value
    else:
        return _none(reading, test, holds)
    if not isinstance(on, ast.Name) or len(test.ops) != 1:
        return {}
    same = (ast.Eq, ast.Is) if holds else (ast.NotEq, ast.IsNot)
    kind, operator = test.comparators[0], test.ops[0]
    if isinstance(operator, same):
        return {on.id: of_type(reading, kind)}
    among = isinstance(operator, ast.In if holds else ast.NotIn)
    if among and isinstance(kind, ast.Tuple | ast.List | ast.Set):
        return {on.id: _any([of_type(reading, part) for part in kind.elts])}
    return {}


def _none(reading: Reading, test: ast.Compare, holds: bool) -> dict[str, Value]:
    if test.left.__class__ is not ast.Name or len(test.ops) != 1:
        return {}
    right = test.comparators[0]
    if right.__class__ is not ast.Constant or right.value is not None:
        return {}
    given = test.ops[0].__class__ is (ast.IsNot if holds else ast.Is)
    name: str = test.left.id
    found = reading.lookup(name)
    if given and isinstance(found, Instance) and found.optional:
        return {name: replace(found, optional=False)}
    return {}


def never(reading: Reading, test: ast.expr) -> bool:
    """Whether a test asks something that is None for not being it."""
    if isinstance(test, ast.Compare):
        right = test.comparators[0]
        of_none = isinstance(right, ast.Constant) and right.value is None
        if len(test.ops) > 1 or not of_none or not isinstance(test.ops[0], ast.IsNot):
            return False
        test = test.left
    return isinstance(test, ast.Name | ast.Attribute) and reading.peek(test) is NONE


def of_type(reading: Reading, node: ast.expr) -> Value:
    """What an object of a type is, or of one of several."""
    if node.__class__ is ast.Tuple:
        parts = [of_type(reading, part) for part in node.elts]
        return _any(parts)
    if node.__class__ is ast.BinOp:
        return _any([of_type(reading, node.left), of_type(reading, node.right)])
    if node.__class__ not in (ast.Name, ast.Attribute):
        return UNKNOWN
    return instance_of(reading, reading.head(node))


def of_pattern(reading: Reading, pattern: ast.pattern) -> Value:
    """What matches a pattern, as far as that names classes."""
    if isinstance(pattern, ast.MatchClass):
        return of_type(reading, pattern.cls)
    if isinstance(pattern, ast.MatchOr):
        return _any([of_pattern(reading, one) for one in pattern.patterns])
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is not None:
        return of_pattern(reading, pattern.pattern)
    return UNKNOWN


def _any(parts: list[Value]) -> Value:
    classes = [p for p in parts if isinstance(p, Instance)]
    if len(classes) == len(parts) and len({p.owner for p in classes}) == 1:
        return instance(classes[0].owner, "|".join(dict.fromkeys(p.name for p in classes)))
    return joined(parts)


def instance_of(reading: Reading, kind: Value) -> Value:
    """What an object of a class is."""
    if isinstance(kind, Path):
        name = reading.canonical(kind.name)
        return UNKNOWN if name is None else made(reading, name)
    if isinstance(kind, Class):
        return Object(kind.entry)
    if isinstance(kind, Builtin):
        if kind.name in _PLAIN:
            return PLAIN
        return CONTAINER if kind.name in _CONTAINERS else UNKNOWN
    if kind is NONE:
        return NONE
    # A class of another package may come from one of PyTorch's.
    if kind is NUMPY:
        return ARRAY
    return OTHER if kind is OTHER else UNKNOWN


def made(reading: Reading, name: str) -> Value:
    """What an object of a class of PyTorch's is."""
    if reading.facts.torch_kind(name) != "class":
        return UNKNOWN
    owner = owner_kind(name)
    if owner == "tensor":
        return instance("tensor", name if name.endswith("Parameter") else "")
    if name == "torch.Size":
        return instance("size", name)
    return instance(owner or "object", name)
