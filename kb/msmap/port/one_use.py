"""One use of PyTorch, written by the rule of its kind, with what there is to say of it."""

from __future__ import annotations

import ast

from msmap.code.refusal import Refused
from msmap.infer.uses import Use
from msmap.port import caveats, earlier_runs
from msmap.port.rules import registry
from msmap.port.session import Rewriter


def write(work: Rewriter, use: Use) -> None:
    """Write a use, by the rule of its kind, and say what there is to say of it."""
    if use.node in work.unproved:
        return
    before = len(work.notes)
    try:
        _check(work, use)
        if write := registry.writers(work.mode).get(use.how):
            write(work, use)
        if use.how != "text" and use.node in work.nodes:
            registry.node(work, use.node)
    except Refused as refused:
        work.refuse(use.node, refused)
        work.doubts.pop(use.node, None)
    for doubt in dict.fromkeys(work.doubts.pop(use.node, ())):
        work.warn(use.node, doubt)
    if len(work.notes) > before:
        work.said[use.node] = work.notes[before:]
    if use.node in work.lacking and use.node in work.written:
        work.warn(use.node, work.lacking[use.node])
    record, bites = work.bites.get(use.node, (None, ()))
    if record is not None:
        for bite in bites:
            if bite.differs:
                work.warn(use.node, caveats.said(record, bite))


def _check(work: Rewriter, use: Use) -> None:
    """Refuse what stands for another thing than PyTorch's, because the code says so."""
    if isinstance(getattr(use.node, "ctx", None), ast.Store):
        return
    name = work.resolver.reading.replaced.among(use.names)
    if name:
        raise Refused(
            "value",
            f"{name} is set to something else in this file: what stands for it here is the"
            " code's own",
            f"{name} 在本文件中被替换：此处是代码自己的实现",
        )
    earlier_runs.check(work, use)
