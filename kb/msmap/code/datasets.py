"""The index of a dataset's own ``__getitem__``: a single number, unless it asks what it is."""

from __future__ import annotations

import ast

DATASET = "torch.utils.data.Dataset"
# What asks what kind of index it is knows of several.
_ASKING = ("isinstance", "is_tensor", "hasattr", "type")


def index(node: ast.FunctionDef) -> str:
    """The name of the parameter, "" if there is none."""
    given = [*node.args.posonlyargs, *node.args.args][1:2]
    return given[0].arg if given else ""


def is_single(node: ast.FunctionDef) -> bool:
    """Whether a getter begins with making a number of its index, as a port writes it."""
    begins = f"{index(node)} = int({index(node)})"
    return any(isinstance(one, ast.Assign) and ast.unparse(one) == begins for one in node.body[:2])


def asking(node: ast.FunctionDef) -> ast.Call | None:
    """The first call by which a getter asks what its index is."""
    name = index(node)
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    return next((one for one in calls if _asks(one, name)), None)


def listing(node: ast.FunctionDef, asked: ast.Call) -> bool:
    """Whether all that a getter asks is whether its index is a tensor, to make a list of that."""
    name = index(node)
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    if [one for one in calls if _asks(one, name)] != [asked]:
        return False
    return any(
        isinstance(one, ast.If)
        and one.test is asked
        and getattr(asked.func, "attr", "") == "is_tensor"
        and not one.orelse
        and [ast.unparse(line) for line in one.body] == [f"{name} = {name}.tolist()"]
        for one in node.body
    )


def takes_one(node: ast.AST) -> bool:
    """Whether a method gives one sample, at an index that is a single number."""
    if not isinstance(node, ast.FunctionDef) or node.name != "__getitem__":
        return False
    return asking(node) is None


def _asks(call: ast.Call, name: str) -> bool:
    function = getattr(call.func, "attr", getattr(call.func, "id", ""))
    first = call.args[0] if call.args else None
    return function in _ASKING and isinstance(first, ast.Name) and first.id == name
