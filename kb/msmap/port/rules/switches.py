"""Switches of PyTorch's backends that code sets: a call of MindSpore's, or nothing."""

from __future__ import annotations

import ast

from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port import block_edits
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

# What each becomes; "" where it decides on speed alone, and goes.
_SWITCHES = {
    "torch.backends.cudnn.deterministic": "mindspore.set_deterministic({})",
    "torch.backends.cudnn.benchmark": "",
    "torch.backends.cudnn.enabled": "",
}


@rule(Phase.INSTEAD, modes=SOURCES)
def is_set(work: Rewriter, use: Use, record: Record) -> bool:
    """Write what a statement is that sets nothing but a switch; False if it is none."""
    made = _SWITCHES.get(record.torch)
    statement = use.statement
    if made is None or use.how != "name" or not isinstance(statement, ast.Assign):
        return False
    if statement.targets != [use.node] or not isinstance(statement.value, ast.Constant):
        return False
    if made:
        value = work.changes.text(statement.value)
        work.changes.put(statement, made.format(value))
    else:
        block_edits.line(work, statement)
    work.records.append(record.torch)
    assert record.missing is not None
    work.notes.append(record.missing)
    return True
