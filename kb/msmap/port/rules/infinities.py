"""Losses of what may hold -inf: what they take is kept above it, so that they don't give nan."""

from __future__ import annotations

from dataclasses import replace

from msmap.infer.uses import Use
from msmap.model import Record
from msmap.port import arguments as values
from msmap.port.mode import SOURCES
from msmap.port.rules.registry import Phase, rule
from msmap.port.session import Rewriter
from msmap.port.targets import Arguments

# As good as -inf below any logit, and so that a vocabulary of them can be added up in float32.
_KEPT = "mindspore.ops.clamp({}, min=-1e30)"
# No number of float16 is both: the loss is taken in float32, as autocast takes it.
_WIDER = "mindspore.ops.cast({}, mindspore.float32)"
_HALF = ("float16", "half", "Half", "autocast")


@rule(Phase.ARGUMENTS, modes=SOURCES)
def of_argument(work: Rewriter, use: Use, record: Record, arguments: Arguments) -> Arguments:
    """The arguments of a call, the first of them bounded where its record says it has to be."""
    if not _bites(record) or not work.around.takes_infinite(use.node):
        return arguments
    kept = _KEPT.format(_WIDER) if work.source.mentions(*_HALF) else _KEPT
    if arguments.positional:
        first, *others = arguments.positional
        bounded = values.argument(kept.format(first.text), first.by)
        return replace(arguments, positional=(bounded, *others))
    given = arguments.keywords["input"]
    bounded = values.argument(kept.format(given.text), given.by)
    return replace(arguments, keywords={**arguments.keywords, "input": bounded})


def _bites(record: Record) -> bool:
    return any(one.when is not None and one.when.on == "infinite" for one in record.caveats)
