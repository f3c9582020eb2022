"""In-place methods as what computes the same, copied into the tensor."""

from __future__ import annotations

from typing import Any

from msmap.curated import folding, schema
from msmap.curated.families import Family
from msmap.model import Parameter, Target
from msmap.names import in_place
from msmap.port.emit import RECEIVER
from msmap.probe.bench import Bench, Prepared
from msmap.probe.candidates import Idea
from msmap.probed import Probe
from msmap.vocabulary import UNIVERSAL_ABSENT

# What records say that copy a result back.
_FAMILY = "copied-back"
# Where one PyTorch argument is written for one of MindSpore's just so.
_PLAIN = ("same", "renamed", "default_differs", "reordered")


def prepared(bench: Bench, probe: Probe, like: str) -> Prepared:
    """A name ready to be tried, with a copy of what agrees best if it changes its input."""
    made = bench.prepare(probe.name, like)
    leaf = probe.name.rpartition(".")[2]
    own = any(idea.found == "record" for idea in made.ideas.values())
    family = bench.families.get(_FAMILY)
    if own or made.record is None or family is None or not in_place(leaf):
        return made
    by_key = {target.key: target for target in made.record.targets}
    for candidate in probe.candidates:
        found = by_key.get(candidate.key)
        if found is not None and candidate.values.agreed:
            target = _copying(found, family, probe.name, _receiver(bench, probe.name))
            if target is not None:
                return bench.prepare(probe.name, like, [Idea("", "record", target, probe.name)])
    return made


def _receiver(bench: Bench, name: str) -> str:
    """What a name changes: the object of a method, the first parameter of a function."""
    side = bench.torch.side(name)
    return RECEIVER if side.kind == "method" else next(iter(side.names()), RECEIVER)


def _copying(found: Target, family: Family, name: str, changed: str) -> schema.Target | None:
    """The target that copies what another gives; None where that isn't one plain call."""
    leaf = name.rpartition(".")[2]
    api = found.api or ""
    if found.kind not in ("function", "method") or api.endswith("_"):
        return None
    written: list[str] = []
    left: list[dict[str, Any]] = []
    receiver = f"{{{changed}}}"
    for parameter in found.parameters:
        text = _argument(parameter)
        if text is None:
            return None
        if parameter.torch == (changed,):
            continue
        if text:
            written.append(text)
        elif parameter.torch and not set(parameter.torch) <= UNIVERSAL_ABSENT.keys():
            item = {"torch": parameter.torch[0], "relation": parameter.relation}
            left.append(item | ({"allow": list(parameter.allow)} if parameter.allow else {}))
    # What computes a gradient may need the input, which copy_ is about to change.
    before = f"{receiver}.copy()"
    call = f"{before}.{api.rpartition('.')[2]}" if found.kind == "method" else api
    first = [] if found.kind == "method" else [before]
    said = folding.entry(family, "targets", "copy", name, receiver=changed)
    return schema.Target.model_validate(
        said
        | {
            "id": f"copy-{leaf.strip('_').replace('_', '-')}",
            "expression": f"{receiver}.copy_({call}({', '.join([*first, *written])}))",
            "parameters": [*said["parameters"], *left],
        }
    )


def _argument(parameter: Parameter) -> str | None:
    """How a parameter is written in the call; "" where it isn't; None if that takes more words."""
    if not parameter.torch or not parameter.mindspore:
        return "" if parameter.relation != "target_only_must_set" else None
    if parameter.relation not in _PLAIN or len(parameter.torch) + len(parameter.mindspore) > 2:
        return None
    return f"{parameter.mindspore[0]}={{{parameter.torch[0]}}}"
