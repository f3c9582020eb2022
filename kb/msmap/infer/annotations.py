"""Annotations of users' code: what they say that there is, and the types that they name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.infer import narrowing
from msmap.infer.values.lattice import (
    CONTAINER,
    NONE,
    UNKNOWN,
    Giving,
    Items,
    Mapped,
    Value,
    join,
    joined,
    optional,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading


def told(reading: Reading, node: ast.expr) -> Value:
    """What an annotation says that there is; the types that it names are noted."""
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, str):
            return NONE if node.value is None else UNKNOWN
        if (seen := _quoted(reading, node)) is not None:
            return told(reading, seen)
        try:
            inner = ast.parse(node.value, mode="eval").body
        except (SyntaxError, ValueError):
            return UNKNOWN
        with reading.silent(reading.scope):
            return told(reading, inner)
    if isinstance(node, ast.Name | ast.Attribute):
        typed, reading.typed = reading.typed, True
        found = reading.peek(node)
        reading.typed = typed
        return narrowing.instance_of(reading, found)
    if isinstance(node, ast.BinOp):
        return join(told(reading, node.left), told(reading, node.right))
    return _generic(reading, node) if isinstance(node, ast.Subscript) else UNKNOWN


def _generic(reading: Reading, node: ast.Subscript) -> Value:
    name = leaf(node.value)
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if not inner:
        return Items(())
    if name == "Callable":
        gives = told(reading, inner[-1])
        return UNKNOWN if gives is UNKNOWN else Giving(gives)
    found = [told(reading, part) for part in inner]
    if name in ("Type", "type"):
        return UNKNOWN if found[0] is UNKNOWN else Giving(found[0])
    if name in _DICTS and len(found) == 2:
        return Mapped(*found)
    if name in ("Optional", "Final", "ClassVar", "Annotated"):
        return optional(found[0]) if name == "Optional" else found[0]
    if name == "Union":
        return joined(found)
    if name in ("List", "list", "Sequence", "Iterable", "Iterator"):
        return Items(None, found[0], mutable=name in ("List", "list"))
    if name in ("Tuple", "tuple"):
        last = inner[-1]
        if isinstance(last, ast.Constant) and last.value is ...:
            return Items(None, found[0])
        return Items(tuple(found))
    return CONTAINER if name in (*_DICTS, "Set", "set") else UNKNOWN


_DICTS = ("Dict", "dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict")


def leaf(node: ast.expr) -> str:
    """The last word of a dotted name; "" of anything else."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def note(reading: Reading, node: ast.expr) -> None:
    """Note the types that an annotation or a test names."""
    typed, reading.typed = reading.typed, True
    if isinstance(node, ast.Constant):
        if (inner := _quoted(reading, node)) is not None:
            note(reading, inner)
    elif isinstance(node, ast.Subscript):
        note(reading, node.value)
        for part in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
            note(reading, part)
    elif isinstance(node, ast.Tuple | ast.List):
        for part in node.elts:
            note(reading, part)
    elif isinstance(node, ast.BinOp):
        note(reading, node.left)
        note(reading, node.right)
    else:
        reading.peek(node)
    reading.typed = typed


def _quoted(reading: Reading, node: ast.Constant) -> ast.expr | None:
    """What a quoted annotation says, as if it stood there without quotes; None if it can't."""
    text = node.value
    if not isinstance(text, str) or "." not in text or reading.quiet:
        return None
    begin, end = reading.source.span(node)
    if reading.source.between(begin + 1, end - 1) != text:
        return None
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    moved = node.col_offset + 1
    for part in ast.walk(tree):
        if hasattr(part, "lineno"):
            part.lineno = part.end_lineno = node.lineno  # type: ignore[attr-defined]
            part.col_offset += moved  # type: ignore[attr-defined]
            part.end_col_offset += moved  # type: ignore[attr-defined]
    return tree
