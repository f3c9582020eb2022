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
    back = pairs.by_mindspore
    found: dict[str, dict[str, str]] = {}
    for path, there in pairs.by_torch.items():
        above = _above(path, there, back)
        mine, its = (p.removeprefix(a).strip(".") for p, a in ((there, above), (path, back[above])))
        if mine != its and mine and its and not mine.startswith("("):
            found.setdefault(classes[above] if above else _TOP, {})[mine] = its
    rows = []
    for kind, names in found.items():
        rows.append(f"{kind}:")
        rows += [f"  {_word(mine)}: {_word(its)}" for mine, its in names.items()]
    return "\n".join(rows) + "\n" if rows else "{}\n"


def _above(path: str, there: str, back: dict[str, str]) -> str:
    """The nearest layer of MindSpore's around one whose partner is around the other."""
    back.setdefault("", "")
    parts = there.split(".")
    for at in range(len(parts) - 1, 0, -1):
        above = ".".join(parts[:at])
        if above in back and path.startswith(f"{back[above]}."):
            return above
    return ""


def _word(name: str) -> str:
    return json.dumps(name) if not name.isidentifier() else name
