"""Running statistics: parameters in MindSpore, buffers in PyTorch, left out where one may be."""

from __future__ import annotations

import ast

from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.TARGET, modes=SOURCES)
def target(work: Rewriter, use: Use, record: Record) -> str | None:
    """The key of the target that leaves the statistics out, where a model may hold any."""
    other = {c.target for c in record.caveats if c.when is not None and c.when.on == "statistics"}
    node = use.node
    given = isinstance(node, ast.Call) and (node.args or node.keywords)
    if not other or given:
        return None
    if not work.around.may_hold_statistics(node):
        return None
    return next((t.key for t in record.targets if t.key not in other), None)
