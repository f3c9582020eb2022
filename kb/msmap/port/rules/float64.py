"""Numbers beside tensors of float64: written as tensors of float64, which nothing rounds."""

from __future__ import annotations

from msmap.port.session import Rewriter


def port(work: Rewriter) -> None:
    """Write each of them so, ahead of the calls and operators that they stand in."""
    if work.resolver.own or work.resolver.reading.snippet:
        return
    for node in work.resolver.reading.exact:
        text = work.source.text(node)
        work.changes.put(node, f"mindspore.Tensor({text}, mindspore.float64)")
