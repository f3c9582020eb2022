"""Whether what nothing proves is more likely a tensor, a number, or something else."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from msmap.infer.aliasing.heap import Change, kind_of
from msmap.infer.values.lattice import FOREIGN, UNKNOWN, Value

if TYPE_CHECKING:
    from msmap.infer.interpreter import Reading

_LITERALS = (ast.JoinedStr, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp,
             ast.DictComp, ast.GeneratorExp)  # fmt: skip


def is_literal(node: ast.expr) -> bool:
    """Whether something is a text or a container, which no tensor takes in."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
        return is_literal(node.left) or is_literal(node.right)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    return isinstance(node, _LITERALS)


def is_open(node: ast.AugAssign) -> bool:
    """Whether nothing but its target shows that an assignment isn't of a tensor."""
    target = node.target
    name = target.id if isinstance(target, ast.Name) else ""
    counts = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
    if counts and _counts(node.op) and _NUMBER.fullmatch(name) and name not in _EITHER:
        return False
    return not is_literal(node.value)


# What people call numbers.
_NUMBER = re.compile(
    r"_*(?:[a-z]|lr|eps|idx|index|steps?|counts?|counter|epochs?|total|offset|pos|start|end|size"
    r"|length|width|height|depth|hits?|correct|num(?:_\w+)?|n_\w+|\w+_(?:count|idx|index|size|len"
    r"|length|step|steps|time|num|offset|pos)|\w*time|score|lines?|text|msg|message|s|string|out_str"
    r"|path|name|prefix|indent|args|kwargs|cmd|options)"
)
# A letter that people call tensors as well.
_EITHER = frozenset("abcdefghmopqrtuvwxyz")
_NUMERIC = frozenset(("range", "int", "str", "round", "chr", "format", "len"))


def is_tensor(reading: Reading, node: ast.AugAssign, change: Change, added: Value) -> bool:
    """Whether the target of an augmented assignment is likely a tensor which others see changed."""
    target = node.target
    if kind_of(added) == "container":
        return False
    if "tensor" in change.kinds:
        return True
    is_tensors = kind_of(added) == "tensor"
    if isinstance(target, ast.Attribute):
        return target.attr == "data" or (is_tensors and target.attr != "grad")
    around = reading.around(node)
    if isinstance(target, ast.Subscript):
        return is_tensors or _is_item(target, node, added, around)
    if is_tensors:
        return True
    if _is_number(target, node, around):
        return False
    if isinstance(around, ast.Module):
        return not change.read and bool(change.unknown)
    if _is_under_no_grad(around, node) or _acts_as_tensor(reading, target.id, around):
        return True
    if not change.read:
        # A name that nobody reads any more is changed for those who hold the object.
        return True
    if change.unknown <= {"call", "attribute", "global"}:
        return False
    is_counted = isinstance(node.op, ast.Add | ast.Sub) and added not in (UNKNOWN, FOREIGN)
    return not is_counted and not isinstance(node.op, ast.Add) and _uses_torch(reading, around)


def _is_item(target: ast.Subscript, node: ast.AugAssign, added: Value, around: ast.AST) -> bool:
    """Whether an item of what may be a container is more likely a tensor than a number."""
    key = target.slice.value if isinstance(target.slice, ast.Constant) else ""
    on = target.value
    if _is_called_number(str(key)):
        return False
    if isinstance(on, ast.Name) and on.id in _rest(around):
        return True
    if _is_called_number(getattr(on, "attr", "") or getattr(on, "id", "")):
        return False
    return kind_of(added) == "unknown" and not _is_arithmetic(node.value)


def _is_arithmetic(node: ast.expr) -> bool:
    """Whether a value is computed of numbers, or of names next to one."""
    leaves: list[ast.expr] = [node]
    for one in leaves:
        if isinstance(one, ast.BinOp):
            leaves += [one.left, one.right]
        elif isinstance(one, ast.UnaryOp):
            leaves.append(one.operand)
    leaves = [one for one in leaves if not isinstance(one, ast.BinOp | ast.UnaryOp)]
    return all(isinstance(one, ast.Constant | ast.Name) for one in leaves) and any(
        is_number(one) or (isinstance(one, ast.Name) and _is_called_number(one.id))
        for one in leaves
    )


def _is_called_number(name: str) -> bool:
    return len(name) > 1 and _NUMBER.fullmatch(name) is not None


def _rest(around: ast.AST) -> set[str]:
    """What a function calls the arguments beyond its parameters."""
    spec = getattr(around, "args", None)
    return {one.arg for one in (getattr(spec, "vararg", None), getattr(spec, "kwarg", None)) if one}


def is_number(node: ast.expr) -> bool:
    """Whether something is a number as it is written."""
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    if isinstance(node, ast.BinOp):
        return is_number(node.left) and is_number(node.right)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex)


def _is_number(target: ast.Name, node: ast.AugAssign, around: ast.AST) -> bool:
    """Whether a name is used as numbers or texts are."""
    name = target.id
    value = node.value
    if isinstance(value, ast.Constant) and isinstance(value.value, int) and _counts(node.op):
        return not _is_dead(around, node, name)
    if _NUMBER.fullmatch(name) and name not in _EITHER:
        return True
    for one in ast.walk(around):
        parts: list[ast.AST] = []
        if isinstance(one, ast.Subscript):
            parts = [one.slice]
        elif isinstance(one, ast.FormattedValue):
            parts = [one.value]
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Name):
            parts = [*one.args] if one.func.id in _NUMERIC else []
        elif isinstance(one, ast.If | ast.While) and isinstance(one.test, ast.Compare):
            parts = [one.test.left, *one.test.comparators]
            if isinstance(one.test.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn):
                parts = []
        elif isinstance(one, ast.arg) and one.arg == name:
            parts = []
        if any(isinstance(part, ast.Name) and part.id == name for part in parts):
            return True
    return False


def _counts(operator: ast.operator) -> bool:
    return isinstance(operator, ast.Add | ast.Sub)


def _is_dead(around: ast.AST, node: ast.AugAssign, name: str) -> bool:
    """Whether a name is read nowhere but in the statement."""
    inner = set(ast.walk(node))
    return not any(
        isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load)
        and one not in inner
        for one in ast.walk(around)
    )  # fmt: skip


def _is_under_no_grad(around: ast.AST, node: ast.AST) -> bool:
    for one in ast.walk(around):
        if isinstance(one, ast.With | ast.AsyncWith):
            texts = [ast.unparse(part.context_expr) for part in one.items]
            stops = any("no_grad" in text or "inference_mode" in text for text in texts)
            if stops and node in ast.walk(one):
                return True
    decorators = getattr(around, "decorator_list", ())
    return any("no_grad" in ast.unparse(one) for one in decorators)


# What tensors have and numbers, texts and lists don't.
_OF_TENSORS = frozenset(
    ("shape", "dim", "detach", "grad", "requires_grad", "device", "dtype", "unsqueeze", "view",
     "permute", "clone", "norm", "backward", "contiguous", "masked_fill", "cuda", "cpu", "ndim",
     "numel", "size", "sum", "mean", "data")
)  # fmt: skip


def _acts_as_tensor(reading: Reading, name: str, around: ast.AST) -> bool:
    """Whether attributes of tensors are asked of a name, or PyTorch's functions take it."""
    for one in ast.walk(around):
        if isinstance(one, ast.Attribute) and one.attr in _OF_TENSORS:
            given: ast.expr | None = one.value
        else:
            use = reading.uses.get(one) if isinstance(one, ast.Call) else None
            takes = use is not None and use.how == "call" and "tensor" not in use.names[0].lower()
            given = one.args[0] if takes and one.args else None  # type: ignore[attr-defined]
        if isinstance(given, ast.Name) and given.id == name:
            return True
    return False


def _uses_torch(reading: Reading, around: ast.AST) -> bool:
    return any(one in reading.uses for one in ast.walk(around))


def is_kept(reading: Reading, target: ast.Attribute) -> bool:
    """Whether anything but the attribute may refer to what an attribute holds.

    It is set to what was just made, and read only where a new value is computed of it.
    """
    name = target.attr
    if name == "data":
        return True
    for one in reading.source.nodes.attributes.get(name, ()):
        parent = reading.source.nodes.parents.get(one)
        if isinstance(one.ctx, ast.Store):
            if not _is_made(reading, one, parent):
                return True
        elif not _is_operand(reading, one, parent):
            return True
    return name not in reading.source.nodes.attributes or _is_registered(reading, name)


def _is_made(reading: Reading, one: ast.Attribute, parent: ast.AST | None) -> bool:
    """Whether an attribute is set to what an expression makes."""
    if isinstance(parent, ast.AugAssign):
        return True
    value = getattr(parent, "value", None)
    if not isinstance(parent, ast.Assign | ast.AnnAssign) or value is None:
        return False
    if isinstance(parent, ast.Assign) and len(parent.targets) > 1:
        return False
    if isinstance(value, ast.Constant | ast.BinOp | ast.Compare):
        return True
    use = reading.uses.get(value)
    if use is None or use.how not in ("call", "method"):
        return kind_of(reading.values.get(value)) == "other"
    leaf = use.names[0].rpartition(".")[2]
    return leaf in _MAKING


_MAKING = frozenset(
    ("zeros", "ones", "empty", "full", "rand", "randn", "randint", "arange", "linspace", "eye",
     "tensor", "zeros_like", "ones_like", "full_like", "empty_like", "rand_like", "randn_like",
     "clone", "new_zeros", "new_ones", "new_full", "new_empty", "new_tensor", "sum", "mean")
)  # fmt: skip


def _is_operand(reading: Reading, one: ast.expr, parent: ast.AST | None) -> bool:
    """Whether nothing is kept of what an attribute gives where it is read."""
    if isinstance(parent, ast.BinOp | ast.UnaryOp | ast.Compare | ast.FormattedValue | ast.Expr):
        return True
    if isinstance(parent, ast.AugAssign):
        return True
    if isinstance(parent, ast.Attribute):
        outer = reading.source.nodes.parents.get(parent)
        if isinstance(outer, ast.Call) and outer.func is parent:
            return parent.attr in _COMPUTING
        return parent.attr in ("shape", "dtype", "device", "ndim")
    return False


_COMPUTING = frozenset(
    ("item", "sum", "mean", "tolist", "size", "dim", "numel", "clone", "max", "min", "argmax",
     "sqrt", "exp", "log", "abs", "zero_", "fill_", "add_", "mul_", "sub_", "div_", "copy_", "std",
     "var")
)  # fmt: skip


def _is_registered(reading: Reading, name: str) -> bool:
    """Whether a text names it, such as that of a buffer."""
    return reading.source.mentions(f'"{name}"', f"'{name}'")
