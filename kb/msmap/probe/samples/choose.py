"""Few of many samples, spread over origins, dtypes, kinds of input and forms of the call."""

from __future__ import annotations

import ast
import heapq
from collections import Counter
from collections.abc import Hashable, Iterable
from functools import lru_cache

from msmap.probe.sample import Sample

# What a sample is worth that is the first to show something; less for each that shows it again.
_WORTH = {"kind": 24, "call": 12, "argument": 8, "dtype": 24, "rank": 4, "origin": 16}
_SHARES = 5040


def ranked(samples: Iterable[Sample]) -> list[Sample]:
    """Samples in an order of which every beginning is as varied as can be."""
    pool = list(samples)
    shown = [features(sample) for sample in pool]
    count: Counter[Hashable] = Counter()

    def worth(place: int) -> int:
        return sum(_WORTH[f[0]] * _SHARES // (1 + count[f]) for f in shown[place])

    heap = [(-worth(place), place) for place in range(len(pool))]
    heapq.heapify(heap)
    found = []
    while heap:
        _, place = heapq.heappop(heap)
        # What is chosen only lowers what others are worth: the first that keeps its place is best.
        now = -worth(place)
        if heap and (now, place) > heap[0]:
            heapq.heappush(heap, (now, place))
            continue
        found.append(pool[place])
        count.update(shown[place])
    return found


Feature = tuple[str, Hashable]


def features(sample: Sample) -> tuple[Feature, ...]:
    """What a sample shows: its origin, dtype, kinds, ranks, and how the name is called."""
    arguments = _arguments(sample.torch)
    ranks = tuple(_rank(spec) for spec in sample.inputs.values())
    return (
        ("origin", sample.origin),
        ("dtype", sample.dtype),
        ("rank", ranks),
        ("call", tuple(name for name, _ in arguments)),
        *(("kind", kind) for kind in sample.kinds),
        *(("argument", argument) for argument in arguments),
    )


def _rank(spec: dict[str, object]) -> int:
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
