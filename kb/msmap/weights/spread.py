"""Which parameter stands where in the groups of an optimizer, as far as shapes tell."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeVar

Index = TypeVar("Index", bound=Hashable)
Shape = tuple[int, ...]

# Of more ways than this nobody knows whether one alone is possible.
_MOST = 200_000


def spread(
    groups: Sequence[Sequence[tuple[Index, Shape | None]]], parameters: Sequence[tuple[str, Shape]]
) -> dict[Index, str] | None:
    """The parameter of each index, if there is one way alone; None if there are several or none.

    Args:
        groups: the indices of each group in the model's order; with the shape, None if unknown.
        parameters: all of the model's in its order; some may stand in no group.
    """
    total = sum(map(len, groups))
    spare = len(parameters) - total
    # How many ways lead to each state, and the last step of one of them: what each group has used.
    State = tuple[int, ...]
    ways: dict[State, int] = {(0,) * len(groups): 1}
    steps: list[dict[State, tuple[State, int | None]]] = []
    visited = 0
    for number, (_, shape) in enumerate(parameters):
        new: dict[State, int] = {}
        came: dict[State, tuple[State, int | None]] = {}
        for state, count in ways.items():
            goes: list[tuple[State, int | None]] = []
            if number - sum(state) < spare:
                goes.append((state, None))
            for at, used in enumerate(state):
                if used < len(groups[at]) and groups[at][used][1] in (None, shape):
                    goes.append(((*state[:at], used + 1, *state[at + 1 :]), at))
            for there, by in goes:
                new[there] = min(2, new.get(there, 0) + count)
                came[there] = (state, by)
        ways = new
        steps.append(came)
        visited += len(new)
        if visited > _MOST:
            return None
    end = tuple(map(len, groups))
    if ways.get(end) != 1:
        return None
    found: dict[Index, str] = {}
    for (name, _), came in zip(reversed(parameters), reversed(steps), strict=True):
        before, by = came[end]
        if by is not None:
            found[groups[by][before[by]][0]] = name
        end = before
    return found
