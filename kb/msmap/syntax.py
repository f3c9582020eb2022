"""What Python calls for an operator or another construct: ``x += y`` is ``x.__iadd__(y)``.

A cold lookup of a name imports nothing of this.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

_BINARY = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_COMPARED = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "in": "contains"}
_UNARY = {"~": "invert", "not": "bool"}
_ITEMS = {"[]": "getitem", "[...]": "getitem", "[]=": "setitem", "[...]=": "setitem"}
# Keywords that stand for what they make Python call.
_WORDS = {
    "in": "contains", "for": "iter", "if": "bool", "while": "bool", "not": "bool", "len": "len",
    "iter": "iter", "format": "format", "reversed": "reversed",
}  # fmt: skip
_HEADS = ("for ", "if ", "while ")
# Words, not a difference: one-hot, multi-gpu, getting/started.
_JOINED = re.compile(r"[A-Za-z]{2,}\w*(?:[-/][A-Za-z]{2,}\w*)+")
_WITHIN = re.compile(r"(?<=\w)[-/](?=\w)")
_SYMBOL = re.compile(r"[-+*/@%&|^~<>\[]|[=!]=")
_BUILTINS = (
    "abs", "bool", "complex", "divmod", "float", "format", "hash", "int", "iter", "len", "repr",
    "reversed", "round",
)  # fmt: skip
# Of other modules: the last part of a function's name.
_FUNCTIONS = {
    "array": "array", "asarray": "array", "deepcopy": "deepcopy", "index": "index",
    "range": "index", "print": "repr", "str": "repr",
}  # fmt: skip
_NODES: dict[type[ast.AST], str] = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv",
    ast.FloorDiv: "floordiv", ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor", ast.LShift: "lshift",
    ast.RShift: "rshift", ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le",
    ast.Gt: "gt", ast.GtE: "ge", ast.In: "contains", ast.NotIn: "contains", ast.USub: "neg",
    ast.UAdd: "pos", ast.Invert: "invert", ast.Not: "bool",
}  # fmt: skip
# A number on the left leaves a comparison to the tensor on its right.
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

METHODS = frozenset(
    f"__{name}__"
    for name in (
        *_BINARY.values(), *(f"{kind}{name}" for kind in "ir" for name in _BINARY.values()),
        *_COMPARED.values(), *_UNARY.values(), *_ITEMS.values(), *_WORDS.values(), *_BUILTINS,
        *_FUNCTIONS.values(), "delitem", "neg", "pos",
    )
)  # fmt: skip


def methods(code: str) -> list[str]:
    """The methods of a tensor that a symbol or a piece of code makes Python call, likeliest first.

    >>> methods("+=")
    ['__iadd__', '__add__']
    >>> methods("x[mask] = v")
    ['__setitem__']
    >>> methods("2 - x")
    ['__rsub__', '__sub__']
    """
    text = " ".join(code.split())
    if _JOINED.fullmatch(text):
        return []
    if text.removesuffix("=") in _BINARY and text.endswith("="):
        return _named(_augmented(_BINARY[text.removesuffix("=")]))
    symbols = _BINARY | _COMPARED | _UNARY | _ITEMS | _WORDS
    if compact := symbols.get(text.replace(" ", "")):
        return _named((compact,))
    if text.startswith(_HEADS):
        text = f"{text.removesuffix(':')}: ..."
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return _named(found for statement in tree.body for found in _statement(statement))


def written(text: str) -> list[str]:
    """The methods that a text makes Python call, if it is code and no sentence that Python takes.

    >>> written("x[mask] = v"), written("nan in loss"), written("cross-entropy or mse-loss")
    (['__setitem__'], [], [])
    """
    if (
        not text.isascii()
        or re.search(r"[\"'(]|[A-Za-z_]\.|\.[A-Za-z_]", text)
        or not _SYMBOL.search(_WITHIN.sub("", text))
    ):
        # What has a name in it, or strings for indices, is about that.
        return []
    return methods(text)


def _named(found: Iterable[str]) -> list[str]:
    return [f"__{name}__" for name in dict.fromkeys(found)]


def _augmented(name: str) -> tuple[str, str]:
    """Without a method of its own ``x @= y`` is ``x = x @ y``."""
    return f"i{name}", name


def _statement(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.AugAssign):
        yield from _augmented(_NODES[type(node.op)])
    elif isinstance(node, ast.Delete):
        yield "delitem"
    elif isinstance(node, ast.For):
        if not (isinstance(node.iter, ast.Call) and _is_class(node.iter.func)):
            yield "iter"
    elif isinstance(node, ast.If | ast.While | ast.Assert):
        yield from _expression(node.test)
        yield "bool"
    elif isinstance(node, ast.Assign):
        if isinstance(node.targets[0], ast.Subscript):
            yield "setitem"
        elif isinstance(node.targets[0], ast.Tuple | ast.List):
            yield "iter"
        yield from _expression(node.value)
    elif isinstance(node, ast.Expr | ast.Return) and node.value is not None:
        yield from _expression(node.value)


def _expression(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.BinOp):
        name = _NODES[type(node.op)]
        yield from (f"r{name}", name) if _is_number(node.left) else (name,)
    elif isinstance(node, ast.Compare):
        compared = _NODES.get(type(node.ops[0]))
        if compared is not None:
            yield _MIRRORED.get(compared, compared) if _is_number(node.left) else compared
    elif isinstance(node, ast.UnaryOp):
        yield _NODES[type(node.op)]
    elif isinstance(node, ast.Subscript):
        # Of what is called, the call is what is asked for.
        if not isinstance(node.value, ast.Call):
            yield "getitem"
    elif isinstance(node, ast.JoinedStr):
        yield "format"
    elif isinstance(node, ast.BoolOp | ast.IfExp):
        yield "bool"
    elif isinstance(node, ast.ListComp | ast.GeneratorExp):
        yield "iter"
    elif isinstance(node, ast.Call):
        leaf = ast.unparse(node.func).rpartition(".")[2]
        if leaf in _FUNCTIONS:
            yield _FUNCTIONS[leaf]
        elif isinstance(node.func, ast.Name) and leaf in _BUILTINS:
            yield leaf
    elif isinstance(node, ast.Tuple | ast.List) and any(
        isinstance(item, ast.Starred) for item in node.elts
    ):
        yield "iter"


def _is_class(node: ast.expr) -> bool:
    return ast.unparse(node).rpartition(".")[2][:1].isupper()


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant)
