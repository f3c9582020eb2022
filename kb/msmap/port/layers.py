"""What layers bring along: names of parameters, of members, and of the inputs that they take."""

from __future__ import annotations

from collections.abc import Sequence

from msmap.code.facts import Facts
from msmap.code.refusal import Refused
from msmap.code.values import BASES, Instance, owner_kind
from msmap.model import Record, State, Target, Text


def members(facts: Facts, root: str) -> dict[str, str]:
    """What members are called by the counterpart of a class of PyTorch's."""
    for name in (root, BASES.get(owner_kind(root), "")):
        record = facts.find(name) if name else None
        if record is not None and record.targets and record.targets[0].members:
            return record.targets[0].members
    return {}


def field(
    facts: Facts, classes: Sequence[str], name: str, made: Target | None
) -> tuple[str, Text | None]:
    """What a parameter or buffer of a layer is called, and what to say of it.

    Args:
        facts: the base.
        classes: the classes that the layer may be of.
        name: what PyTorch calls the parameter.
        made: the target that the layer was made by, where that is in sight.

    Raises:
        Refused: it has no counterpart, or another one in each class that the layer may be of.
    """
    found: dict[str, State] = {}
    for kind in classes:
        record = facts.find(kind)
        best = record.targets[0] if record is not None and record.targets else None
        target = best if made is None else made
        for state in target.state if target is not None else ():
            if state.torch == name:
                found[kind] = state
    if made is not None and not found:
        return name, None
    new = {state.mindspore for state in found.values()}
    if len(new) != 1 or None in new or len(found) != len(classes):
        listed = ", ".join(f"{kind}: {state.mindspore}" for kind, state in found.items())
        raise Refused(
            "argument",
            f"`{name}` has no one counterpart here ({listed})",
            f"`{name}` 在此没有唯一的对应（{listed}）",
        )
    state = next(iter(found.values()))
    return str(state.mindspore), state.note


def stands_for(facts: Facts, made: Instance, in_sight: bool) -> tuple[Record, Target] | None:
    """The record of a layer that was made elsewhere, and the target that it is by then.

    None where it may be several, or where the call that makes it stands in the code and stays.
    """
    if in_sight or len(made.classes) != 1 or made.name == BASES["module"]:
        return None
    record = facts.find(made.name)
    return (record, record.targets[0]) if record is not None and record.targets else None


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
