"""Sizes of layers that NumPy computes: MindSpore's layers take Python's own integers alone."""

from __future__ import annotations

import ast
from dataclasses import replace

from msmap.infer.uses import Use
from msmap.infer.values.lattice import ARRAY, EITHER, owner_kind
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port import targets
from msmap.port.arguments import Argument
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

# What gives one number, of an array or of a list, where no axis is asked for.
_ONE = ("prod", "sum", "max", "min", "argmax", "argmin", "item")
_KINDS = ("int64", "int32", "int16", "int8", "uint8", "intp", "int_", "ceil", "floor")


@rule(Phase.ARGUMENTS, modes=SOURCES)
def of_argument(
    work: Rewriter, use: Use, record: Record, arguments: targets.Arguments
) -> targets.Arguments:
    """The arguments of a layer, with the integers that NumPy gives as Python's own."""
    node = use.node
    if use.how != "call" or record.kind != "class" or owner_kind(record.torch) != "module":
        return arguments
    if not work.source.mentions("numpy") or not isinstance(node, ast.Call):
        return arguments
    if any(isinstance(one, ast.Starred) for one in node.args):
        return arguments
    signature = targets.source_signatures(record)[0]
    placed = [p for p in signature.parameters if p.positional]
    notes = {p.name: p.annotation or "" for p in signature.parameters}
    given = dict(zip((p.name for p in placed), node.args, strict=False))
    given |= {str(k.arg): k.value for k in node.keywords if k.arg is not None}
    whole = {
        name
        for name, one in given.items()
        if _is_numpy(work, one)
        and (notes.get(name) == "int" or _is_one(one))
        and "bool" not in notes.get(name, "")
        and "float" not in notes.get(name, "")
    }
    if not whole:
        return arguments
    positional = tuple(
        _as_int(one) if at < len(placed) and placed[at].name in whole else one
        for at, one in enumerate(arguments.positional)
    )
    keywords = {n: _as_int(one) if n in whole else one for n, one in arguments.keywords.items()}
    return replace(arguments, positional=positional, keywords=keywords)


def _is_numpy(work: Rewriter, node: ast.expr) -> bool:
    return work.resolver.reading.given.get(node) in (ARRAY, EITHER)


def _is_one(node: ast.expr) -> bool:
    """Whether an expression that NumPy computes is one integer."""
    if isinstance(node, ast.BinOp):
        # Of true division it is none.
        both = (node.left, node.right)
        ones = [one for one in both if not isinstance(one, ast.Constant | ast.Name)]
        return not isinstance(node.op, ast.Div) and bool(ones) and all(map(_is_one, ones))
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in _KINDS:
        return len(node.args) == 1
    of_module = isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "numpy")
    return node.func.attr in _ONE and not node.keywords and len(node.args) == int(of_module)


def _as_int(given: Argument) -> Argument:
    return values.argument(f"int({given.text})", given.by)
