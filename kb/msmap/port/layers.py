"""What layers bring along: names of parameters, of members, and of the inputs that they take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msmap.code.refusal import Refused
from msmap.infer.facts import Facts
from msmap.infer.values.lattice import BASES, Instance, owner_kind
from msmap.model import Record, State, Target, Text
from msmap.port import layer_classes
from msmap.port.session import Rewriter


def members(facts: Facts, root: str) -> dict[str, str]:
    """What members are called by the counterpart of a class of PyTorch's."""
    for name in (root, BASES.get(owner_kind(root), "")):
        record = facts.find(name) if name else None
        if record is not None and record.targets and record.targets[0].members:
            return record.targets[0].members
    return {}


def field(
    options: Mapping[str, Sequence[Target]], name: str, in_sight: bool
) -> tuple[str, Text | None]:
    """What a parameter or buffer of a layer is called, and what to say of it.

    Args:
        options: the classes that the layer may be of, each with all that it became.
        name: what PyTorch calls the parameter.
        in_sight: whether the call that made the layer is.

    Raises:
        Refused: it has no counterpart, or another one in each class that the layer may be of.
    """
    found: dict[str, State] = {}
    missed: list[str] = []
    for kind, targets in options.items():
        for target in targets:
            state = next((one for one in target.state if one.torch == name), None)
            if state is None:
                # Another class of the same layer keeps PyTorch's name where it says nothing.
                missed.append(kind if len(targets) == 1 else str(target.api))
            else:
                found[kind if len(targets) == 1 else str(target.api)] = state
        missed += [] if targets else [kind]
    if in_sight and not found:
        return name, None
    names = {state.mindspore for state in found.values()}
    renamed = bool(names - {name})
    if len(names) != 1 or None in names or (missed and (renamed or len(options) > 1)):
        every = {kind: state.mindspore for kind, state in found.items()} | dict.fromkeys(
            missed, name
        )
        listed = ", ".join(f"{kind}: {new}" for kind, new in every.items())
        raise Refused(
            "argument",
            f"`{name}` has no one counterpart here ({listed})",
            f"`{name}` 在此没有唯一的对应（{listed}）",
        )
    state = next(iter(found.values()))
    return str(state.mindspore), state.note


def stands_for(work: Rewriter, layer: Instance, in_sight: bool) -> tuple[Record, Target] | None:
    """The record of a layer that was made elsewhere, and the target that it is by then.

    None where it may be several, or where the call that makes it stands in the code and stays.
    """
    if in_sight or len(layer.classes) != 1 or layer.name == BASES["module"]:
        return None
    record = work.facts.find(layer.name)
    if record is None or not record.targets:
        return None
    became = layer_classes.classes(work, record)
    if len(became) > 1:
        return None
    return record, became[0] if became else record.targets[0]


# Relations by which an argument is the same thing in both.
_SAME = ("same", "default_differs")


def keeps(target: Target, name: str) -> bool:
    """Whether what a target makes may keep an argument as PyTorch's does."""
    if target.api is None:
        return False
    return any(
        name in p.torch and p.mindspore == (name,) and p.relation in _SAME
        for p in target.parameters
    )
