"""How records say that layers' parameters and buffers are called on both sides."""

from __future__ import annotations

from msmap.query.knowledge_base import KnowledgeBase
from msmap.weights.states import States, gathered


def states(kb: KnowledgeBase) -> States:
    """The state mappings of all layers, those of the best target first, as of the base's device."""
    names = [summary.torch for summary in kb.records("torch.nn") if summary.torch.count(".") == 2]
    return gathered((name, kb.lookup(name).targets) for name in names)
