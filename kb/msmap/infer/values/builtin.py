"""What calls of Python's own functions give, and what is passed to functions at all."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from msmap.infer import children
from msmap.infer.iteration import iterated
from msmap.infer.values import containers
from msmap.infer.values.classes import above, set_by_name
from msmap.infer.values.lattice import (
    BASES,
    CONTAINER,
    FILE,
    PLAIN,
    RENAMED,
    UNKNOWN,
    Instance,
    Items,
    Value,
    is_tensor,
    joined,
)

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

_PLAIN_BUILTINS = frozenset(
    ("int", "float", "str", "bool", "len", "repr", "hash", "id", "ord", "chr", "isinstance",
     "issubclass", "hasattr", "callable", "format", "bin", "hex", "oct", "ascii", "complex", "any",
     "all", "print", "input", "bytes", "divmod")
)  # fmt: skip
_CONTAINER_BUILTINS = frozenset(("dict", "set", "frozenset", "vars", "dir", "globals", "locals"))


def arguments(
    reading: Reading, node: ast.Call, kept: bool = True
) -> tuple[list[Value], dict[str, Value], bool]:
    """What is passed, by position, by name, and whether more is unpacked; ``kept`` by whom."""
    give = reading.value if kept else reading.peek
    starred = False
    positional: list[Value] = []
    for part in node.args:
        if part.__class__ is ast.Starred:
            inner = reading.peek(part.value)
            if isinstance(inner, Items) and inner.values is not None and not inner.mutable:
                positional += inner.values
            else:
                starred = True
        else:
            found = give(part)
            positional.append(found)
            if not kept:
                reading.given[part] = found
    keywords: dict[str, Value] = {}
    for keyword in node.keywords:
        found = give(keyword.value)
        if not kept:
            reading.given[keyword.value] = found
        if keyword.arg is None:
            starred = True
        else:
            keywords[keyword.arg] = found
    return positional, keywords, starred


def called(reading: Reading, node: ast.Call, name: str) -> Value:
    """What a call of one of Python's own functions gives."""
    if name in ("isinstance", "issubclass") and len(node.args) > 1:
        reading.peek(node.args[0])
        for part in node.args[1:]:
            reading.type_named(part)
        return PLAIN
    if name == "super":
        for part in node.args:
            reading.type_named(part)
        return above(reading)
    positional, _, starred = arguments(reading, node, name not in _READING)
    first = positional[0] if positional and not starred else UNKNOWN
    if name in ("hasattr", "getattr", "setattr") and len(node.args) > 1:
        _by_text(reading, node, first)
    if name == "setattr":
        reading.replaced.called(node, positional)
        set_by_name(reading, node, first)
        children.set_by_name(reading, node, positional)
    if name == "delattr":
        children.deleted(reading, node, first)
    if "." in name:
        return containers.passed_on(name, positional, starred)
    if name in _PLAIN_BUILTINS:
        return PLAIN
    if name in _CONTAINER_BUILTINS:
        return CONTAINER
    if name in ("list", "tuple", "reversed", "iter", "sorted"):
        if not positional:
            return Items((), UNKNOWN, name == "list")
        return Items(None, iterated(first), name == "list")
    if name == "range":
        return Items(None, PLAIN)
    if name == "enumerate":
        return Items(None, Items((PLAIN, iterated(first))))
    if name == "zip":
        return Items(None, UNKNOWN if starred else Items(tuple(map(iterated, positional))))
    if name == "next":
        reading.nexts.update(node.args[:1])
        return iterated(first)
    if name in ("max", "min"):
        if any(keyword.arg != "key" for keyword in node.keywords):
            return UNKNOWN
        several = len(positional) > 1 and not starred
        return joined(positional) if several else iterated(first)
    if name == "sum" and len(node.args) == 1:
        # Of nothing it is 0, which nobody asks for what tensors have.
        each = iterated(first)
        return each if is_tensor(each) or each is PLAIN else UNKNOWN
    if name == "abs":
        return first if is_tensor(first) or first is PLAIN else UNKNOWN
    if name == "open":
        return FILE
    return UNKNOWN


def _by_text(reading: Reading, node: ast.Call, on: Value) -> None:
    """A parameter is asked for by its name, which depends on the class of the layer."""
    name = getattr(node.args[1], "value", None)
    if name not in RENAMED:
        return
    classes = on.classes if isinstance(on, Instance) and on.owner == "module" else []
    renamed = any(name in reading.state(kind) for kind in classes)
    if renamed or BASES["module"] in classes or on is UNKNOWN:
        reading.note_unclear(node, on)


# They keep nothing of what they are given.
_READING = frozenset(
    ("len", "list", "tuple", "reversed", "iter", "sorted", "enumerate", "zip", "next", "print",
     "sum", "max", "min", "any", "all", "str", "repr", "bool", "id")
)  # fmt: skip
