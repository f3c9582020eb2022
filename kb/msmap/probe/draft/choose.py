"""What a draft is made of: its targets in order, and a few samples that together show all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msmap.probe import bench as benches
from msmap.probe.bench import Bench
from msmap.probe.draft import short
from msmap.probe.sample import Sample

# Kinds that no variant of a check has; verifying makes the others of every check.
_KINDS = ("broadcasting", "negative-axis")
_GROUPS = {
    "float32": "", "float64": "double", "float16": "half", "bfloat16": "bfloat16", "bool": "bool",
    "complex64": "complex", "complex128": "complex",
}  # fmt: skip
# Copies of other libraries: behind MindSpore's own, if these agree nearly as often, what is wrong
# without an error taken off.
COPIES = ("mindspore.numpy.", "mindspore.scipy.")
_NEARLY = 0.75
Feature = tuple[str, str]


def order(
    prepared: benches.Prepared, agreed: Mapping[str, float],
    wrong: Mapping[str, int] = MappingProxyType({}),
) -> list[str]:  # fmt: skip
    """Targets, the best first: by what agrees; then, of a method, its namesake; then those of the
    same form, function or method; then a sibling's.

    Args:
        prepared: the name with its candidates.
        agreed: on how many samples each agrees, the likeliest first.
        wrong: on how many each gives something else without an error.
    """
    home, _, leaf = prepared.name.rpartition(".")
    own = f"mindspore.Tensor.{leaf}" if home == "torch.Tensor" else ""
    # What raises elsewhere is seen; another dtype or other values are not.
    sure = {key: n - wrong.get(key, 0) for key, n in agreed.items()}
    plain = [n for key, n in sure.items() if not key.startswith(COPIES)]
    enough = max(plain, default=0) >= _NEARLY * max(sure.values(), default=0)

    kinds = {t.key: t.kind for t in prepared.record.targets} if prepared.record else {}
    form = prepared.record.kind if prepared.record else ""

    def place(key: str) -> tuple[bool, bool, float, bool, bool, bool]:
        found = prepared.ideas[key].found
        copy = enough and key.startswith(COPIES)
        # An expression is of any form.
        other = kinds.get(key, form) not in (form, "expression")
        return found != "record", copy, -agreed[key], key != own, other, found != "sibling"

    return sorted(agreed, key=place)


def checks(samples: Mapping[str, tuple[Sample, frozenset[Feature]]]) -> list[tuple[str, Sample]]:
    """Ids and samples of the checks: those that show what no other has shown, the shortest first.

    Args:
        samples: what may be chosen, by id, with all that each shows.
    """
    left = set().union(*(shown for _, shown in samples.values())) if samples else set()
    chosen: list[tuple[str, Sample]] = []
    taken: set[str] = set()
    while samples and (left or not chosen):
        sample, shown = min(samples.values(), key=lambda pair: _worth(pair, left, bool(chosen)))
        name = _name(shown & left if chosen else frozenset(), taken)
        taken.add(name)
        chosen.append((name, sample))
        left -= shown
    return chosen


def _worth(
    pair: tuple[Sample, frozenset[Feature]], left: set[Feature], begun: bool
) -> tuple[int, tuple[bool, int, int, str]]:
    """What to sort by: the first check is the shortest, each after it shows most that is new."""
    sample, shown = pair
    return (-len(shown & left) if begun else 0), short.length(sample)


def _name(new: frozenset[Feature], taken: set[str]) -> str:
    """An id that says what is new in a check."""
    by = {kind: sorted(word for k, word in new if k == kind) for kind, _ in new}
    words = [*by.get("given", [])[:2], *by.get("kind", [])[:1], *by.get("dtype", [])[:1]]
    usual = "overload" if by.get("overload") else "plain"
    base = "-".join(w.strip("_").replace("_", "-").lower() for w in words[:2] if w) or usual
    number = next(n for n in range(1, 1000) if (base if n == 1 else f"{base}-{n}") not in taken)
    return base if number == 1 else f"{base}-{number}"


def features(bench: Bench, prepared: benches.Prepared, sample: Sample) -> frozenset[Feature]:
    """What a sample shows: parameters not given as their default, overload, dtype, kinds."""
    bounds = bench.bound(prepared, sample)
    shown = {("dtype", _GROUPS.get(sample.dtype, "integers"))} if sample.dtype else set()
    shown |= {("kind", kind) for kind in sample.kinds if kind in _KINDS}
    for bound in bounds:
        shown.add(("overload", bound.signature.text))
        for name, argument in bound.given.items():
            parameter = bound.signature.get(name)
            if parameter is not None and argument.text != parameter.default:
                shown.add(("given", name))
    return frozenset(shown)
