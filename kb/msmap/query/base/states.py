"""How records say that layers' parameters and buffers are called on both sides."""

from __future__ import annotations

from msmap.code.refusal import Refused
from msmap.port import targets
from msmap.port.arguments import argument
from msmap.query.base.asked import Asked
from msmap.weights.arguments import Made
from msmap.weights.states import States, gathered


def states(kb: Asked) -> States:
    """The state mappings of all layers, those of the best target first, as of the base's device."""
    names = [summary.torch for summary in kb.records("torch.nn") if summary.torch.count(".") == 2]

    def choose(torch: str, made: Made) -> str:
        record = kb.lookup(torch)
        known = {p.name for one in targets.source_signatures(record) for p in one.parameters}
        given = targets.Arguments(
            tuple(argument(text, "position") for text in made.positional),
            {name: argument(text, "keyword") for name, text in made.keywords if name in known},
        )
        try:
            target = targets.write(record, given).target
        except Refused:
            return ""
        return target.api or target.key

    return gathered(((name, kb.lookup(name).targets) for name in names), choose)
