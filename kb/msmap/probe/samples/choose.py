"""Few of many samples, spread over origins, dtypes, kinds of input and forms of the call."""

from __future__ import annotations

import ast
import heapq
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache

from msmap.probe.sample import Sample

# What a sample is worth that is the first to show something; less for each that shows it again.
_WORTH = {"kind": 24, "call": 12, "argument": 8, "dtype": 24, "rank": 4, "origin": 16}
_SHARES = 5040

Feature = tuple[str, Hashable]


class Spread:
    """Picks samples of several groups, those first that show what none that was taken shows."""

    def __init__(self) -> None:
        self._count: Counter[Hashable] = Counter()

    def order(self, samples: Iterable[Sample]) -> Iterator[Sample]:
        """The samples of a group, the best to take first, by what was taken until then."""
        pool = list(samples)
        shown = [features(sample) for sample in pool]
        heap = [(-self._worth(found), place) for place, found in enumerate(shown)]
        heapq.heapify(heap)
        while heap:
            _, place = heapq.heappop(heap)
            # Taking others only lowers what one is worth: the first that keeps its place is best.
            now = (-self._worth(shown[place]), place)
            if heap and now > heap[0]:
                heapq.heappush(heap, now)
            else:
                yield pool[place]

    def take(self, sample: Sample) -> None:
        """Note that a sample is taken."""
        self._count.update(features(sample))

    def _worth(self, shown: tuple[Feature, ...]) -> int:
        return sum(_WORTH[f[0]] * _SHARES // (1 + self._count[f]) for f in shown)


def few(samples: Iterable[Sample], most: int) -> list[Sample]:
    """So many samples of some, as different as can be."""
    spread = Spread()
    found: list[Sample] = []
    for sample in spread.order(samples):
        if len(found) == most:
            break
        spread.take(sample)
        found.append(sample)
    return found


def features(sample: Sample) -> tuple[Feature, ...]:
    """What a sample shows: its origin, dtype, kinds, ranks, and how the name is called."""
    arguments = _arguments(sample.torch)
    ranks = tuple(rank(spec) for spec in sample.inputs.values())
    return (
        ("origin", sample.origin),
        ("dtype", sample.dtype),
        ("rank", ranks),
        ("call", tuple(name for name, _ in arguments)),
        ("kind", sample.kinds),
        *(("argument", argument) for argument in arguments),
    )


def rank(spec: dict[str, object]) -> int:
    """How many axes an input has."""
    if "shape" in spec:
        return len(spec["shape"])  # type: ignore[arg-type]
    found, value = 0, spec["values"]
    while isinstance(value, list):
        found, value = found + 1, value[0] if value else None
    return found


@lru_cache(maxsize=4096)
def _arguments(code: str) -> tuple[tuple[str, str], ...]:
    """The arguments of all calls in some code by place or keyword, numbers by their sign."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call):
            found += [(str(n), _literal(a)) for n, a in enumerate(node.args)]
            found += [(str(k.arg), _literal(k.value)) for k in node.keywords]
    return tuple(found)


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bool | None):
        return repr(node.value)
    if isinstance(node, ast.Constant):
        return f"{type(node.value).__name__} {'0' if not node.value else ''}"
    if isinstance(node, ast.UnaryOp):
        return f"-{_literal(node.operand)}"
    if isinstance(node, ast.List | ast.Tuple):
        return f"{len(node.elts)} of {_literal(node.elts[0]) if node.elts else ''}"
    return ast.unparse(node) if isinstance(node, ast.Attribute) else type(node).__name__
