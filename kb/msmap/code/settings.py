"""What layers and loaders keep of their arguments: ``norm.momentum``, ``loader.dataset``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msmap.code import returns
from msmap.code.values import Instance

if TYPE_CHECKING:
    from msmap.code.reading import Reading


def of(reading: Reading, base: Instance, name: str) -> bool:
    """Whether PyTorch's object may keep an argument under a name; parameters are no arguments."""
    if name in ("weight", "bias"):
        return False
    return any(name in of_class(reading, kind) for kind in base.classes)


def of_class(reading: Reading, kind: str) -> frozenset[str]:
    """The parameters of a class of PyTorch's."""
    record = reading.facts.find(kind)
    texts = record.signatures if record is not None else ()
    return frozenset(name for text in texts for name in returns.parameters(text))
