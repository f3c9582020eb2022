"""Parameters and buffers of both sides, paired by the state mappings of their layers' records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from msmap.compare.pairing import Pairs
from msmap.compare.terms import Facts
from msmap.recording.model import Recording, Tensor
from msmap.weights import mapping


@dataclass(slots=True)
class StatePair:
    """A parameter or buffer on both sides; ``rule`` makes MindSpore's values of PyTorch's."""

    torch: str
    mindspore: str
    layer: str
    rule: dict[str, Any]
    buffer: bool
    beside: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class States:
    """All pairs, and names without a partner."""

    pairs: list[StatePair]
    torch_alone: list[str]
    mindspore_alone: list[str]

    def has(self, path: str, names: Iterable[str], torch: bool) -> bool:
        """Whether all parameters and buffers of a layer have partners."""
        paired = {one.torch if torch else one.mindspore for one in self.pairs}
        return paired.issuperset(_join(path, name) for name in names)


def pair(torch: Recording, mindspore: Recording, pairs: Pairs, facts: Facts) -> States:
    """Parameters and buffers, paired."""
    others = {layer.path: layer for layer in mindspore.layers}
    there = {_join(path, n): path for path, layer in others.items() for n in layer.state}
    told: dict[str, tuple[str | None, dict[str, Any], dict[str, str]]] = {}
    found, alone = [], []
    for layer in torch.layers:
        other = others.get(pairs.by_torch.get(layer.path, "\n"))
        rules = facts.rules(layer.base, "" if other is None else other.base)
        for rule in rules:
            # A record may tell of the layers inside too.
            if "." in rule["torch"] and other is not None:
                made = rule["mindspore"] and _join(other.path, rule["mindspore"])
                told[_join(layer.path, rule["torch"])] = (made, rule, {})
        by_name = {rule["torch"]: rule for rule in rules}
        for name in layer.state:
            full = _join(layer.path, name)
            rule = by_name.get(name, {"torch": name, "mindspore": name, "value": "value"})
            target = rule["mindspore"] and _join("" if other is None else other.path,
                                                 rule["mindspore"])  # fmt: skip
            if full in told:
                target, rule, _ = told[full]
            elif other is None:
                target = f"{full} has no partner"
            if target is None:
                continue
            if target in there:
                beside = {n: _join(layer.path, n) for n in layer.state}
                found.append(
                    StatePair(full, target, layer.path, rule, name in layer.buffers, beside)
                )
            else:
                alone.append(full)
    used = {one.mindspore for one in found}
    free = [name for name in there if name not in used]
    found += _by_shape(torch, mindspore, alone, free)
    used = {name for one in found for name in (one.torch, one.mindspore)}
    return States(
        found, [n for n in alone if n not in used], [n for n in free if n not in used]
    )  # fmt: skip


def _by_shape(
    torch: Recording, mindspore: Recording, alone: list[str], free: list[str]
) -> list[StatePair]:
    """What has another name, or stands in no layer there: the only ones of a shape on both sides.

    A layer that became a function may have left its table to the model.
    """
    layers = {_join(one.path, n): one for one in torch.layers for n in one.state}
    shapes = [
        {_join(one.path, n): shape for one in side.layers for n, shape in one.state.items()}
        for side in (torch, mindspore)
    ]
    found = []
    for name in alone:
        shape = shapes[0][name]
        mine = [one for one in alone if shapes[0][one] == shape]
        there = [one for one in free if shapes[1][one] == shape]
        if len(mine) == len(there) == 1:
            layer = layers[name]
            local = name.rpartition(".")[2]
            rule = {"torch": local, "mindspore": local, "value": "value"}
            found.append(StatePair(name, there[0], layer.path, rule, local in layer.buffers))
    return found


def mapped(torch: Recording, state: dict[str, Tensor], one: StatePair) -> Any:
    """PyTorch's values in MindSpore's shape; None where they are the same, or were not kept."""
    if one.rule["value"] == "value":
        return None
    arrays = {
        name: torch.value(state[full])
        for name, full in one.beside.items()
        if full in state and state[full].data
    }
    local = one.rule["torch"]
    if local not in arrays:
        full = one.torch
        if full not in state or not state[full].data:
            return None
        arrays[local] = torch.value(state[full])
    return mapping.mapped([one.rule], arrays)[one.rule["mindspore"]]


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
