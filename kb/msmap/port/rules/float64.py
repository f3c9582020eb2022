"""Numbers beside tensors of float64: written as tensors of float64, which nothing rounds."""

from __future__ import annotations

from msmap.port.mode import Mode
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter


@rule(Phase.PREPARE, modes=Mode.FILE)
def port(work: Rewriter) -> None:
    """Write each of them so, ahead of the calls and operators that they stand in."""
    for node in work.resolver.reading.exact:
        text = work.source.text(node)
        work.changes.put(node, f"mindspore.Tensor({text}, mindspore.float64)")
