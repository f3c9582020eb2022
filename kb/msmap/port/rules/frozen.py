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
# They go through what they are given: these keep nothing of it.
_COUNTING = ("sum", "len", "any", "all", "max", "min")
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
    return any(_is_optimizer(work, one) for one in lineage(work.source, use.statement, use.node))


def _is_optimizer(work: Rewriter, node: ast.AST) -> bool:
    use = work.uses.get(node)
    if use is None or use.how != "call":
        return False
    name = work.resolver.reading.canonical(use.names[0])
    return name is not None and owner_kind(name) == "optimizer"


def _walked(work: Rewriter, use: Use) -> bool:
    """Whether all that is given here is gone through, and nobody keeps it for an optimizer."""
    if _is_trained(work, use):
        return False
    around = lineage(work.source, use.statement, use.node)
    inner: ast.AST = use.node
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
        if not (isinstance(outer, ast.Call) and isinstance(outer.func, ast.Name)):
            return False
        if outer.func.id not in _WALKING:
            return False
        if outer.func.id in _COUNTING:
            return True
        inner = outer
    return False


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
