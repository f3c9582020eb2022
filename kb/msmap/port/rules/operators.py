"""Operators on tensors: written where MindSpore has none, and what is silent of the rest."""

from __future__ import annotations

import ast

from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port import assumptions, caveats, targets
from msmap.port.rules import registry
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter

# They are methods of what stands on the right.
_REFLECTED = ("__rlshift__", "__rrshift__")


@rule(Phase.USE, "operator")
def operator(work: Rewriter, use: Use) -> None:
    """An operator of which its record has something to say."""
    for name in use.names:
        record = work.facts.find(name)
        if record is None or not record.targets:
            continue
        if registry.instead(work, use, record):
            return
        if use.seen == "call":
            _write(work, use, record)
            return
        found = caveats.seen(record, use.seen, work.facts.device)
        if found:
            work.bites[use.node] = (record, found)
            work.notes += caveats.told(record, found)
            return


def _write(work: Rewriter, use: Use, record: Record) -> None:
    """What MindSpore has no operator for."""
    node = use.node
    assert isinstance(node, ast.BinOp)
    left, right = node.left, node.right
    if record.torch.endswith(_REFLECTED):
        left, right = right, left
    given = (work.argument(right, "position"),)
    on = work.argument(left, "position")
    done = work.call(node, record, targets.Arguments(given, {}, on))
    work.records.append(record.torch)
    work.targets.append((record.torch, done.target.key))
    work.notes += done.notes
    assumptions.tell(work, use, done)
    found = caveats.bites(record, done.target, done.bound, node, work.around, work.facts.device)
    if found:
        work.bites[node] = (record, found)
        work.notes += caveats.told(record, found)
    work.written[node] = (record, done.target)
    work.put(use, done.text, done.called)
