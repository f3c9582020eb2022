"""``requires_grad_`` gives the tensor in PyTorch, and None in MindSpore."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port.edits import parent_of
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

_GIVES_NOTHING = "torch.Tensor.requires_grad_"


@rule(Phase.CHECK, modes=SOURCES)
def check(work: Rewriter, use: Use, record: Record) -> None:
    """Refuse to use what a call gives in PyTorch alone; on what was just made, it only goes.

    Raises:
        Refused: somebody uses it.
    """
    if record.torch != _GIVES_NOTHING:
        return
    statement, node = use.statement, use.node
    outer = parent_of(work.source, statement, node)
    if isinstance(outer, ast.Expr | ast.Lambda) or (
        isinstance(statement, ast.Expr) and outer is statement.value and _is_loop(outer)
    ):
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if isinstance(node.func.value, ast.Call):
            return
        on = work.source.text(node.func.value)
        raise Refused(
            "value",
            f"{record.torch}: it gives None in MindSpore: write {on} in its place; where that is a"
            f" Parameter, first set {on}.requires_grad on a line of its own",
            f"{record.torch}：在 MindSpore 中返回 None：请改写为 {on}；若它是 Parameter，"
            f"请先单独写一行设置 {on}.requires_grad",
        )


def _is_loop(node: ast.AST) -> bool:
    """Whether an expression only runs something for each of several."""
    return isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp)
