"""Which layer of MindSpore's a layer of PyTorch's became: by path, class, state and order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msmap.compare.terms import Facts
from msmap.recording.model import Layer, Recording

_CONTAINERS = (
    ("Sequential", "SequentialCell"), ("ModuleList", "CellList"), ("ModuleDict", "CellDict"),
    ("Module", "Cell"),
)  # fmt: skip
_HOLDING = {name for pair in _CONTAINERS for name in pair}


@dataclass(slots=True)
class Pairs:
    """Paths of MindSpore's by those of PyTorch's, and what has no partner on either side."""

    by_torch: dict[str, str] = field(default_factory=dict)
    torch_alone: list[str] = field(default_factory=list)
    mindspore_alone: list[str] = field(default_factory=list)

    @property
    def by_mindspore(self) -> dict[str, str]:
        """Paths of PyTorch's by those of MindSpore's."""
        return {other: one for one, other in self.by_torch.items()}


def pair(torch: Recording, mindspore: Recording, facts: Facts) -> Pairs:
    """The layers of two recordings, paired."""
    ones, others = _ordered(torch), _ordered(mindspore)
    match = _Match(facts)
    taken = _inner(ones, others, facts)
    free = {one.path: one for one in others if one.path not in set(taken.values())}
    for one in ones:
        same = free.get(one.path)
        if one.path not in taken and same is not None and match.fits(one, same):
            taken[one.path] = free.pop(one.path).path
    for left, right in _gaps(ones, others, taken):
        taken |= _aligned(left, right, match)
    free = {one.path: one for one in others if one.path not in set(taken.values())}
    for one in ones:
        # One at the same place is its partner, whatever it is.
        if one.path not in taken and one.path in free:
            taken[one.path] = free.pop(one.path).path
    inside = _Inside(ones, others, taken)
    return Pairs(
        taken,
        [
            one.path
            for one in ones
            if one.path not in taken and _counts(one, torch) and not inside.torch(one.path)
        ],
        [
            one.path
            for one in free.values()
            if _counts(one, mindspore) and not inside.mindspore(one.path)
        ],
    )


class _Inside:
    """What stands inside of a pair of the frameworks' own layers, which is their business."""

    def __init__(self, ones: list[Layer], others: list[Layer], taken: dict[str, str]) -> None:
        left, right = ({one.path: one for one in side} for side in (ones, others))
        pairs = [
            (path, there)
            for path, there in taken.items()
            if not any(_holds(side[at]) for side, at in ((left, path), (right, there)))
        ]
        self._torch = {path for path, _ in pairs}
        self._mindspore = {there for _, there in pairs}

    def torch(self, path: str) -> bool:
        return not self._torch.isdisjoint(_above(path))

    def mindspore(self, path: str) -> bool:
        return not self._mindspore.isdisjoint(_above(path))


def _holds(layer: Layer) -> bool:
    """Whether a layer is the user's, or does nothing but hold others."""
    return layer.own or layer.name.rpartition(".")[2] in _HOLDING


def _above(path: str) -> set[str]:
    """The paths of all that a layer stands in."""
    parts = path.split(".") if path else []
    return {".".join(parts[:at]) for at in range(len(parts))}


def _ordered(recording: Recording) -> list[Layer]:
    """The layers in the order of their first calls; those never called stay behind the one before.

    Layers outside of the model, such as losses, come with the calls that name them.
    """
    known = {layer.path: layer for layer in recording.layers}
    first: dict[str, int] = {}
    for step in recording.steps[:1]:
        for number, call in enumerate(step.calls):
            if call.layer:
                first.setdefault(call.path, number)
                known.setdefault(
                    call.path,
                    Layer(call.path, call.name, call.name, "." not in call.name, call.arguments),
                )
    order: dict[str, float] = {}
    last = -1.0
    for path in known:
        last = order[path] = first.get(path, last)
    return sorted(known.values(), key=lambda layer: order[layer.path])


def _counts(layer: Layer, recording: Recording) -> bool:
    """Whether a layer without a partner is worth a word: it has state, or computes something."""
    if layer.state:
        return True
    if layer.name.rpartition(".")[2] in _HOLDING:
        return False
    return any(c.layer and c.path == layer.path for step in recording.steps for c in step.calls)


class _Match:
    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._names: dict[str, frozenset[str]] = {}

    def fits(self, one: Layer, other: Layer) -> bool:
        """Whether one may have become the other."""
        return self.score(one, other) > 0

    def score(self, one: Layer, other: Layer) -> int:
        """How well the classes, names and shapes of two layers fit; 0 if they don't."""
        ends = tuple(layer.path.rpartition(".")[2] for layer in (one, other))
        alike = int(ends[0] == ends[1])
        if one.own and other.own:
            same = one.name.lower() == other.name.lower()
            return (3 if same else 0 if not alike or one.path != other.path else 1) + alike
        if one.own != other.own:
            return int(one.path == other.path and one.path != "")
        if not self._counterparts(one.base, other.base):
            return 0
        return 2 + alike + 2 * self._shaped(one, other)

    def _counterparts(self, torch: str, mindspore: str) -> bool:
        ends = torch.rpartition(".")[2], mindspore.rpartition(".")[2]
        if ends in _CONTAINERS or ends[0] == ends[1]:
            return True
        if torch not in self._names:
            self._names[torch] = self._facts.counterparts(torch)
        return mindspore in self._names[torch]

    def _shaped(self, one: Layer, other: Layer) -> bool:
        """Whether parameters and buffers have the same numbers of values."""
        return sorted(map(_count, one.state.values())) == sorted(map(_count, other.state.values()))


def _count(shape: tuple[int, ...]) -> int:
    found = 1
    for size in shape:
        found *= size
    return found


def _inner(ones: list[Layer], others: list[Layer], facts: Facts) -> dict[str, str]:
    """The layers inside of one whose record tells of them: ``linear1`` is ``dense1``."""
    there = {layer.path for layer in others}
    found: dict[str, str] = {}
    for one in ones:
        if one.own:
            continue
        for rule in facts.rules(one.base, ""):
            if "." in rule["torch"] and rule["mindspore"] and "." in rule["mindspore"]:
                path, other = (_under(one.path, rule[side]) for side in ("torch", "mindspore"))
                if other in there:
                    found[path] = other
    return found


def _under(path: str, name: str) -> str:
    inner = name.rpartition(".")[0]
    return f"{path}.{inner}" if path else inner


def _gaps(
    ones: list[Layer], others: list[Layer], taken: dict[str, str]
) -> Iterable[tuple[list[Layer], list[Layer]]]:
    """What stands between paired layers on both sides, where both have something."""
    places = {layer.path: number for number, layer in enumerate(others)}
    used = set(taken.values())
    left: list[Layer] = []
    begin = 0
    for one in (*ones, None):
        if one is not None and one.path not in taken:
            left.append(one)
            continue
        end = len(others) if one is None else places.get(taken[one.path], -1)
        if end < begin:
            continue
        right = [layer for layer in others[begin:end] if layer.path not in used]
        if left and right:
            yield left, right
        left, begin = [], end + 1


def _aligned(left: list[Layer], right: list[Layer], match: _Match) -> dict[str, str]:
    """The pairs, in order on both sides, that fit best in all."""
    scores = [[match.score(one, other) for other in right] for one in left]
    rows, columns = len(left), len(right)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            here = scores[i][j] and scores[i][j] + best[i + 1][j + 1]
            best[i][j] = max(here, best[i + 1][j], best[i][j + 1])
    found, i, j = {}, 0, 0
    while i < rows and j < columns:
        if scores[i][j] and best[i][j] == scores[i][j] + best[i + 1][j + 1]:
            found[left[i].path] = right[j].path
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found
