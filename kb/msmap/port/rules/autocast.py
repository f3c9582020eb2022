"""Blocks of autocast: MindSpore has none, and what stands in them is computed in its own dtypes."""

from __future__ import annotations

import ast

from msmap.infer.uses import Use
from msmap.model import Record, Text
from msmap.port import block_edits
from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.training.idle import does_nothing, null

_NAMES = ("torch.autocast", "torch.cuda.amp.autocast")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@rule(Phase.INSTEAD, modes=Mode.FILE)
def gone(work: Rewriter, use: Use, record: Record) -> bool:
    """Whether a call was one of autocast, and went with the block or function that it is of.

    Nothing is computed otherwise but more exactly; that is said where it may make a difference.
    """
    node, statement = use.node, use.statement
    if record.torch not in _NAMES or not isinstance(node, ast.Call):
        return False
    whole: ast.expr = node
    if isinstance(statement, ast.With) and (managing := _managing(work, statement, node)):
        whole = managing
        if block_edits.manager(work, statement, whole, record.torch):
            work.through.add(statement)
    elif isinstance(statement, _FUNCTIONS) and node in statement.decorator_list:
        block_edits.decorator(work, node)
    elif isinstance(statement, ast.Assign) and (made := null(work)) and _chooses(statement, node):
        # Somebody enters it later.
        work.put(use, f"{made}()", True)
        work.nulls.add(node)
    else:
        return False
    inside = {*ast.walk(whole)}
    work.refused[:] = [one for one in work.refused if one[1] not in inside]
    work.records.append(record.torch)
    if not _is_off(node):
        work.notes.append(_told(record.torch))
    return True


def _managing(work: Rewriter, statement: ast.With, node: ast.Call) -> ast.expr | None:
    """The manager of a block that a call is, if the other way is one that does nothing."""
    if block_edits.manages(statement, node):
        return node
    for item in statement.items:
        whole = item.context_expr
        if not isinstance(whole, ast.IfExp) or item.optional_vars is not None:
            continue
        asks = any(isinstance(one, ast.NamedExpr | ast.Await) for one in ast.walk(whole.test))
        ways = {whole.body: whole.orelse, whole.orelse: whole.body}
        if node in ways and not asks and does_nothing(work, ways[node]):
            return whole
    return None


def _chooses(statement: ast.Assign, node: ast.Call) -> bool:
    """Whether a statement gives a name a manager, by whatever decides on it."""
    value: ast.expr = statement.value
    one = len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name)
    while isinstance(value, ast.IfExp):
        value = value.body if node in ast.walk(value.body) else value.orelse
    return one and value is node


def _is_off(node: ast.Call) -> bool:
    """Whether a call says that nothing is computed in another precision."""
    given = [k.value for k in node.keywords if k.arg == "enabled"]
    return any(isinstance(one, ast.Constant) and one.value is False for one in given)


def _told(name: str) -> Text:
    return Text(
        f"{name}: it is gone, and all is computed in float32, as exactly as without it. For"
        " float16 convert the network once, before training: net ="
        ' mindspore.amp.auto_mixed_precision(net, "auto", mindspore.float16)',
        f"{name}：已去掉，全部以 float32 计算，精度与不使用它时相同。"
        "如需 float16，请在训练前转换一次网络："
        'net = mindspore.amp.auto_mixed_precision(net, "auto", mindspore.float16)',
    )
