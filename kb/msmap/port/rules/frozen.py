"""Parameters that the code freezes: who walks through all of them, and who takes those to train."""

from __future__ import annotations

import ast

from msmap.infer.uses import Use
from msmap.infer.values.lattice import owner_kind
from msmap.model import Record
from msmap.port.edits import lineage
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_FLAG = "requires_grad"
_CLIPPING = "torch.nn.utils.clip_grad_"
# They go through what they are given: these keep nothing of it.
_COUNTING = ("sum", "len", "any", "all", "max", "min", "next")
_WALKING = (*_COUNTING, "zip", "enumerate", "list", "tuple", "reversed", "iter")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_GROWING = ("append", "extend", "insert", "add", "update", "setdefault")


@rule(Phase.TARGET, modes=SOURCES)
def target(work: Rewriter, use: Use, record: Record) -> str | None:
    """The key of the target that leaves no frozen parameter out, where one has to be taken."""
    first = record.targets[0].key if record.targets else ""
    frozen = any(c.when is not None and c.when.on == "frozen" for c in record.caveats)
    if not frozen or not work.around.freezes or not _walked(work, use):
        return None
    other = {caveat.target for caveat in record.caveats}
    return next((t.key for t in record.targets if t.key != first and t.key not in other), None)


@rule(Phase.MOOT, modes=SOURCES)
def trained(work: Rewriter, use: Use, on: str) -> bool:
    """Whether an optimizer gets what is given here: what is frozen is none of its business."""
    return on == "frozen" and _is_trained(work, use)


def _is_trained(work: Rewriter, use: Use) -> bool:
    if _is_given(work, use.statement, use.node):
        return True
    made = use.statement
    name = made.targets[0] if isinstance(made, ast.Assign) and len(made.targets) == 1 else None
    reads = _reads(work, name.id) if isinstance(name, ast.Name) else []
    return bool(reads) and all(_is_given(work, _statement(work, one), one) for one in reads)


def _is_given(work: Rewriter, statement: ast.stmt | None, node: ast.AST) -> bool:
    """Whether what trains is asked for: by an optimizer, what clips gradients, or a filter."""
    around = lineage(work.source, statement, node)
    return any(_takes_trained(work, one) or _is_filter(one) for one in around)


def _is_filter(node: ast.AST) -> bool:
    named = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "filter"
    return named and any(map(_reads_flag, ast.walk(node)))


def _reads(work: Rewriter, name: str) -> list[ast.Name]:
    """Where a name is read."""
    every = work.source.nodes.names.get(name, ())
    return [one for one in every if isinstance(one.ctx, ast.Load)]


def _statement(work: Rewriter, node: ast.AST) -> ast.stmt:
    while not isinstance(node, ast.stmt):
        node = work.source.nodes.parents[node]
    return node


def _takes_trained(work: Rewriter, node: ast.AST) -> bool:
    """Whether a call makes an optimizer, or clips gradients, which frozen parameters haven't."""
    use = work.uses.get(node)
    if use is None or use.how != "call":
        return False
    name = work.resolver.reading.canonical(use.names[0]) or ""
    return owner_kind(name) == "optimizer" or name.startswith(_CLIPPING)


def _walked(work: Rewriter, use: Use) -> bool:
    """Whether all that is given here is gone through, and nobody keeps it for an optimizer."""
    if _is_trained(work, use):
        return False
    return _is_walked(work, use.statement, use.node)


def _is_walked(work: Rewriter, statement: ast.stmt | None, node: ast.AST) -> bool:
    """Whether an expression is gone through, or kept under a name by which it is."""
    around = lineage(work.source, statement, node)
    inner = node
    for outer in reversed(around):
        if isinstance(outer, ast.comprehension):
            inner = outer
            continue
        if isinstance(inner, ast.comprehension):
            if not isinstance(outer, _COMPREHENSIONS):
                return False
            inner = outer
            if any(map(_reads_flag, ast.walk(outer))):
                return True
            continue
        if isinstance(outer, ast.For | ast.AsyncFor):
            return outer.iter is inner and (
                not _keeps(outer) or any(map(_reads_flag, ast.walk(outer)))
            )
        if isinstance(outer, ast.Expr) and isinstance(inner, _COMPREHENSIONS):
            # Only what it does counts.
            return True
        if isinstance(outer, ast.Subscript) and outer.value is inner:
            if not isinstance(outer.slice, ast.Slice):
                return isinstance(outer.ctx, ast.Load)
            inner = outer
            continue
        if isinstance(outer, ast.Assign):
            return outer.value is inner and _is_walked_by_name(work, outer)
        if not (isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name)):
            return False
        if outer.func.id not in _WALKING:
            return False
        if outer.func.id in _COUNTING:
            return True
        inner = outer
    return False


def _is_walked_by_name(work: Rewriter, made: ast.Assign) -> bool:
    """Whether the name that something is given is read only where all of it is gone through."""
    name = made.targets[0] if len(made.targets) == 1 else None
    if not isinstance(name, ast.Name):
        return False
    reads = _reads(work, name.id)
    return bool(reads) and all(_is_read_through(work, one) for one in reads)


def _is_read_through(work: Rewriter, node: ast.Name) -> bool:
    """Whether what a name stands for is gone through here, and no optimizer gets it."""
    statement = _statement(work, node)
    return not _is_given(work, statement, node) and _is_walked(work, statement, node)


def _reads_flag(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == _FLAG and isinstance(node.ctx, ast.Load)


def _keeps(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a loop puts something aside."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Yield):
            return True
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Attribute) and function.attr in _GROWING:
            return True
    return False
