"""Statements that may go once a training step beside them has become a function."""

from __future__ import annotations

from msmap.code.refusal import Refused
from msmap.port import block_edits
from msmap.port.roles import turns_off
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.BLOCKS)
def again(work: Rewriter) -> None:
    """Take out what stood beside a training step that has become a function since."""
    for one in list(work.refused):
        _, node, refusal = one
        use = work.uses.get(node)
        if refusal.kind != "removable" or use is None or use.how != "call":
            continue
        record = work.resolver.meaning(use).record
        if not turns_off(node, record.torch) or block_edits.is_gone(work, *work.source.span(node)):
            continue
        try:
            done = block_edits.removed(work, use, record)
        except Refused:
            continue
        if done:
            work.refused.remove(one)
