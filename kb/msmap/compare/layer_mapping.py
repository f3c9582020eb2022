"""Which layer is which, as msProbe's compare wants to be told: ``--layer-mapping``."""

from __future__ import annotations

import json

from msmap.compare import pairing
from msmap.compare.terms import Facts
from msmap.recording.model import Recording

# What stands for the class of the model itself.
_TOP = "TopLayer"


def text(one: Recording, other: Recording, facts: Facts) -> str:
    """A mapping in YAML: by class of MindSpore's, attributes by those of PyTorch's.

    Only attributes of another name are in it: the others msProbe finds by itself.
    """
    torch, mindspore = (one, other) if one.framework == "torch" else (other, one)
    pairs = pairing.pair(torch, mindspore, facts)
    classes = {layer.path: layer.name.rpartition(".")[2] for layer in mindspore.layers}
    found: dict[str, dict[str, str]] = {}
    for path, there in pairs.by_torch.items():
        parent, _, mine = there.rpartition(".")
        other_parent, _, its = path.rpartition(".")
        # What stands elsewhere can't be told by names of attributes.
        placed = pairs.by_torch.get(other_parent, "" if not other_parent else None)
        if mine != its and placed == parent and not mine.startswith("("):
            found.setdefault(_TOP if not parent else classes[parent], {})[mine] = its
    rows = []
    for kind, names in found.items():
        rows.append(f"{kind}:")
        rows += [f"  {_word(mine)}: {_word(its)}" for mine, its in names.items()]
    return "\n".join(rows) + "\n" if rows else "{}\n"


def _word(name: str) -> str:
    return json.dumps(name) if not name.isidentifier() else name
