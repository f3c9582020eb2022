"""Whether ``x += y`` may give another dtype: PyTorch keeps that of ``x``, MindSpore promotes it."""

from __future__ import annotations

import ast

from msmap.infer.aliasing.heap import Change, kind_of
from msmap.infer.values.lattice import Value

# Operators that promote.
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
# Dtypes that others widen, and the methods that cast to them.
_NARROW = frozenset(
    ("float16", "half", "bfloat16", "int32", "int", "int16", "short", "int8", "char", "uint8",
     "byte", "HalfTensor", "BFloat16Tensor", "IntTensor", "ShortTensor", "ByteTensor", "CharTensor")
)  # fmt: skip
_WIDE = frozenset(("double", "float64", "DoubleTensor"))


def may_promote(node: ast.AugAssign, change: Change, added: Value) -> bool:
    """Whether the code shows that the target is narrower than what is added may be."""
    if not isinstance(node.op, _ARITHMETIC) or kind_of(added) == "other":
        return False
    makers = [one for one in change.makers if isinstance(one, ast.AST)]
    if _WIDE & _dtypes([node.value]):
        return not _WIDE & _dtypes(makers)
    narrow = _NARROW & _dtypes(makers)
    return bool(narrow) and not narrow & _dtypes([node.value])


def _dtypes(nodes: list[ast.AST]) -> set[str]:
    """The attributes that calls are given, and the methods that they are of."""
    found: set[str] = set()
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        given = [*node.args, *(one.value for one in node.keywords)]
        found |= {one.attr for one in given if isinstance(one, ast.Attribute)}
        if isinstance(node.func, ast.Attribute):
            found.add(node.func.attr)
    return found
