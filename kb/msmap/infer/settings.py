"""What layers and loaders keep of their arguments: ``norm.momentum``, ``loader.dataset``."""

from __future__ import annotations

from msmap.infer.facts import Facts
from msmap.infer.values import torch
from msmap.infer.values.lattice import Instance


def of(facts: Facts, base: Instance, name: str) -> bool:
    """Whether PyTorch's object may keep an argument under a name; parameters are no arguments."""
    if name in ("weight", "bias"):
        return False
    return any(name in of_class(facts, kind) for kind in base.classes)


def of_class(facts: Facts, kind: str) -> frozenset[str]:
    """The parameters of a class of PyTorch's."""
    record = facts.find(kind)
    texts = record.signatures if record is not None else ()
    return frozenset(name for text in texts for name in torch.parameters(text))
