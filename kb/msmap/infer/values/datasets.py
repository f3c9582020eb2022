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


def numbers(node: ast.FunctionDef) -> frozenset[int]:
    """The places in the tuples that a getter gives where numbers of Python's own stand."""
    told = node.returns
    if isinstance(told, ast.Subscript) and ast.unparse(told.value).endswith(("Tuple", "tuple")):
        each = told.slice.elts if isinstance(told.slice, ast.Tuple) else []
        return frozenset(at for at, one in enumerate(each) if _names(one) in _NUMBERS)
    given = [one.value for one in _own(node) if isinstance(one, ast.Return)]
    found: frozenset[int] | None = None
    for value in given:
        if not isinstance(value, ast.Tuple):
            return frozenset()
        here = frozenset(at for at, one in enumerate(value.elts) if _is_number(one, node))
        found = here if found is None else found & here
    return found or frozenset()


_NUMBERS = ("int", "float", "bool")


def _own(node: ast.AST) -> list[ast.AST]:
    """What stands in a function, but for what stands in others."""
    found: list[ast.AST] = list(ast.iter_child_nodes(node))
    for one in found:
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            found += ast.iter_child_nodes(one)
    return found


def _names(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _is_number(node: ast.expr, getter: ast.FunctionDef) -> bool:
    """Whether an expression is a number, or a name that a getter sets once, to one."""
    match node:
        case ast.Constant(value):
            return isinstance(value, int | float)
        case ast.Call(ast.Name(name), [_, *_]):
            return name in (*_NUMBERS, "len")
        case ast.Name(name):
            bound = [n for n in ast.walk(getter) if isinstance(n, ast.Name) and n.id == name]
            stores = [n for n in bound if not isinstance(n.ctx, ast.Load)]
            made = [
                one.value for one in _own(getter)
                if isinstance(one, ast.Assign) and one.targets == stores
            ]  # fmt: skip
            single = len(stores) == len(made) == 1
            return single and not isinstance(made[0], ast.Name) and _is_number(made[0], getter)
    return False


def _asks(call: ast.Call, name: str) -> bool:
    function = getattr(call.func, "attr", getattr(call.func, "id", ""))
    first = call.args[0] if call.args else None
    return function in _ASKING and isinstance(first, ast.Name) and first.id == name
