"""Blocks of autocast: MindSpore has none, and what stands in them is computed in its own dtypes."""

from __future__ import annotations

import ast

from msmap.code.uses import Use
from msmap.model import Record, Text
from msmap.port import removals
from msmap.port.rewriter import Rewriter

_NAMES = ("torch.autocast", "torch.cuda.amp.autocast")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def gone(work: Rewriter, use: Use, record: Record) -> bool:
    """Whether a call was one of autocast, and went with the block or function that it is of.

    Nothing is computed otherwise but more exactly; that is said where it may make a difference.
    """
    node, statement = use.node, use.statement
    if record.torch not in _NAMES or work.resolver.own or work.resolver.reading.snippet:
        return False
    assert isinstance(node, ast.Call)
    if isinstance(statement, ast.With) and removals.manages(statement, node):
        if removals.manager(work, statement, node, record.torch):
            work.through.add(statement)
    elif isinstance(statement, _FUNCTIONS) and node in statement.decorator_list:
        removals.decorator(work, node)
    else:
        return False
    inside = {*ast.walk(node)}
    work.refused[:] = [one for one in work.refused if one[1] not in inside]
    work.records.append(record.torch)
    if not _is_off(node):
        work.notes.append(_told(record.torch))
    return True


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
