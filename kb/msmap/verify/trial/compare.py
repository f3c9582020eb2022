"""Results of both frameworks in one form, and what differs between them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from msmap.verify.trial import shown
from msmap.verify.trial.results import COARSE, Leaf, leaves

# Relative and absolute tolerance by dtype; a check that needs more says so, and why.
TOLERANCE: dict[str, tuple[float, float]] = {
    "float64": (1e-9, 1e-9),
    "complex128": (1e-9, 1e-9),
    "float32": (1e-5, 1e-5),
    "complex64": (1e-5, 1e-5),
    "float16": (2e-3, 2e-3),
    "bfloat16": (2e-2, 2e-2),
}
# Of Python's own floats. Settings come as such, and an epsilon of 1e-7 is not one of 1e-5.
_PLAIN = (1e-5, 1e-7)
# Both sides round: what is within the tolerance, and no further apart than this many units in the
# last place of the largest value, agrees. Agreement has at most 55 over all records.
MOST_ULPS = 64
# ... or no more than this many times PyTorch's own error, seen by running it in float64.
OWN = 8
# Two-sample Kolmogorov-Smirnov: D * sqrt(n * m / (n + m)) above this happens once in a million
# times when both samples come from one distribution. Some operators can't be seeded.
KS_LIMIT = 2.7
_FEWEST = 1000
_TOO_FEW = f"{_FEWEST} are needed to compare"


# Rounding is far less than this part of the largest value, but in dtypes that round coarsely: how
# many values differ by more, and by how much, is the same on any processor.
_CLEAR = 1e-3


@dataclass(slots=True)
class Comparison:
    """What differs; ``numeric`` says that floats differ by a finite amount: it may be rounding."""

    differences: list[str] = field(default_factory=list)
    detail: str = ""
    numeric: bool = False


def same(
    torch: Any,
    mindspore: Any,
    rtol: float | None = None,
    atol: float | None = None,
    exact: Any = None,
    scale: float = 0.0,
) -> Comparison:
    """Compare structure, shapes, dtypes and values of two results.

    Args:
        torch: what PyTorch gave.
        mindspore: what MindSpore gave.
        rtol: relative tolerance; by default that of the dtype.
        atol: absolute tolerance; by default that of the dtype.
        exact: what PyTorch gave in float64, if it is known. Its own error is no difference, nor is
            a nan or infinity that it only gives in its own dtype.
        scale: the largest value that these were computed from, where that may have cancelled out:
            of ``1 - y * y`` nothing is left of a ``y`` near 1 but its own rounding.
    """
    found = Comparison()
    left, right = leaves(torch), leaves(mindspore)
    if [where for where, _ in left] != [where for where, _ in right]:
        found.differences.append(f"structure: {_shape(left)} and {_shape(right)}")
        return found
    own = own_errors(torch, exact)
    sure = leaves(exact) if own else left
    for place, ((where, one), (_, other)) in enumerate(zip(left, right, strict=True)):
        slack = OWN * own[place] if own else 0.0
        sounder = _sounder(one, other, sure[place][1])
        _leaves(where, sounder, other, (rtol, atol), (slack, scale), found)
    return found


def size(value: Any) -> float:
    """The largest finite floating value in a result; 0 if there is none."""
    arrays = [leaf.value for _, leaf in leaves(value) if isinstance(leaf.value, np.ndarray)]
    floats = [array[np.isfinite(array)] for array in arrays if array.dtype.kind == "f"]
    return max((float(np.abs(array).max(initial=0.0)) for array in floats), default=0.0)


def own_errors(plain: Any, exact: Any) -> list[float]:
    """The largest error of each tensor of a result against the same result in float64.

    Empty where they don't compare: a dtype is written in the code, or the shape depends on it.
    """
    left, right = leaves(plain), leaves(exact)
    if [where for where, _ in left] != [where for where, _ in right]:
        return []
    found: list[float] = []
    for (_, one), (_, other) in zip(left, right, strict=True):
        numbers = isinstance(one.value, np.ndarray) and isinstance(other.value, np.ndarray)
        if not numbers or other.dtype != "float64" or one.value.shape != other.value.shape:
            found.append(0.0)
            continue
        with np.errstate(all="ignore"):
            error = np.abs(one.value.astype(np.float64) - other.value)
        found.append(float(error[np.isfinite(error)].max(initial=0.0)))
    return found


def _sounder(one: Leaf, other: Leaf, exact: Leaf) -> Leaf:
    """What PyTorch gave, but what it gives in float64 where one side is nan or inf, not the other.

    Its kernels for some processors make nan of inf where others, and those for float64, don't.
    """
    values = one.value, other.value, exact.value
    if not all(isinstance(v, np.ndarray) and v.dtype.kind in "fc" for v in values):
        return one
    if len({v.shape for v in values}) > 1:
        return one
    with np.errstate(all="ignore"):
        finite = np.isfinite(one.value) & np.isfinite(other.value)
        alike = _equal(one.value, other.value)
        sure = exact.value.astype(one.value.dtype)
    return replace(one, value=np.where(finite | alike, one.value, sure))


def _equal(left: Any, right: Any) -> Any:
    """Where two arrays have the same, nan for nan: of complex numbers, in both of their parts.

    Where no part is finite, which of them is nan follows from the order of additions.
    """
    nan = np.isnan(left) & np.isnan(right)
    if np.result_type(left, right).kind != "c":
        return (left == right) | nan
    sides = (left, right)
    neither = ~np.any([np.isfinite(part) for s in sides for part in (s.real, s.imag)], axis=0)
    parts = _equal(left.real, right.real) & _equal(left.imag, right.imag)
    return parts | (nan & neither)


def _apart(left: Any, right: Any, tolerance: tuple[float, float], slack: float) -> Any:
    """Where two arrays differ by more than rounding: what isn't finite, by part."""
    rtol, atol = tolerance
    plain = np.isfinite(left) & np.isfinite(right)
    error = np.where(plain, np.abs(left - right), 0.0)
    near = plain & (error <= np.maximum(atol + rtol * np.abs(left), slack))
    bad = ~_equal(left, right) & ~near
    if left.dtype.kind != "c" or plain.all():
        return bad
    parts = ((left.real, right.real), (left.imag, right.imag))
    real, imaginary = (_apart(a, b, tolerance, slack) for a, b in parts)
    return np.where(plain, bad, bad & (real | imaginary))


def _shape(found: list[tuple[str, Leaf]]) -> str:
    return f"{len(found)} value{'s' * (len(found) != 1)}"


def _leaves(
    where: str,
    one: Leaf,
    other: Leaf,
    tolerance: tuple[float | None, float | None],
    noise: tuple[float, float],
    found: Comparison,
) -> None:
    at = f" at {where}" if where else ""
    if one.dtype != other.dtype:
        found.differences.append(f"dtype {one.dtype} and {other.dtype}{at}")
    if not (isinstance(one.value, np.ndarray) and isinstance(other.value, np.ndarray)):
        if (
            isinstance(one.value, np.ndarray)
            or isinstance(other.value, np.ndarray)
            or not _alike(one.value, other.value, tolerance)
        ):
            found.differences.append(" and ".join(shown.both(one.value, other.value)) + at)
        return
    if one.value.shape != other.value.shape:
        found.differences.append(f"shape {one.value.shape} and {other.value.shape}{at}")
        return
    if one.value.size == 0:
        return
    if one.value.dtype.kind not in "fc":
        if not np.array_equal(one.value, other.value):
            count = int(np.sum(one.value != other.value))
            found.differences.append(f"{count} of {one.value.size} values{at}")
        return
    _floats(at, one, other, tolerance, noise, found)


def _alike(one: Any, other: Any, tolerance: tuple[float | None, float | None]) -> bool:
    """Whether plain values are equal; floats, which come out of tensors, up to rounding."""
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return all(_alike(a, b, tolerance) for a, b in zip(one, other, strict=True))
    if not (isinstance(one, float) and isinstance(other, float)):
        return bool(one == other)
    rtol, atol = (d if t is None else t for t, d in zip(tolerance, _PLAIN, strict=True))
    return (math.isnan(one) and math.isnan(other)) or math.isclose(
        one, other, rel_tol=rtol, abs_tol=atol
    )


# Bits of the fraction: a unit in the last place of 1 is 2 to the minus this.
_FRACTION = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}


def _unit(dtype: str, value: float) -> float:
    """The distance between a value and the next one that the dtype has."""
    fraction = _FRACTION.get(dtype.replace("complex128", "float64"), 23)
    return float(2.0 ** (math.floor(math.log2(value)) - fraction))


def _floats(
    at: str,
    one: Leaf,
    other: Leaf,
    tolerance: tuple[float | None, float | None],
    noise: tuple[float, float],
    found: Comparison,
) -> None:
    slack, scale = noise
    default = TOLERANCE.get(one.dtype, TOLERANCE["float32"])
    rtol, atol = (d if t is None else t for t, d in zip(tolerance, default, strict=True))
    wide = np.result_type(one.value.dtype, np.float64)
    left, right = one.value.astype(wide), other.value.astype(wide)
    with np.errstate(all="ignore"):
        plain = np.isfinite(left) & np.isfinite(right)
        error = np.where(plain, np.abs(left - right), 0.0)
        bad = _apart(left, right, (rtol, atol), slack)
    largest = float(error.max())
    size = float(max(np.abs(side[plain]).max(initial=0.0) for side in (left, right)))
    ulps = largest / _unit(one.dtype, size) if size else 0.0
    # Below the smallest normal number there is no precision to lose.
    floor = OWN * _unit(one.dtype, scale) if scale else float(np.finfo(np.float32).tiny)
    seen = largest > max(slack, floor)
    loose = tolerance[0] is None and ulps > MOST_ULPS and seen
    if bad.any() or loose:
        # A stated tolerance is the last word.
        found.numeric = tolerance[0] is None
        strange = int((bad & ~plain).sum())
        clear = 0 if one.dtype in COARSE else int((error > _CLEAR * size).sum())
        text = f"values{at}"
        if clear or strange:
            text = f"{clear + strange} of {bad.size} {text}"
        if strange:
            text += f", {strange} of them nan or inf on one side"
        if clear:
            text += f", by about {10.0 ** round(math.log10(largest)):g}"
        elif not strange and one.dtype not in COARSE:
            text += f", by less than {_CLEAR:g} of the largest"
        found.differences.append(text)


def distribution(torch: Any, mindspore: Any) -> Comparison:
    """Compare shapes, dtypes, and the distributions of the values (Kolmogorov-Smirnov)."""
    found = Comparison()
    left, right = leaves(torch), leaves(mindspore)
    if [where for where, _ in left] != [where for where, _ in right]:
        found.differences.append(f"structure: {_shape(left)} and {_shape(right)}")
        return found
    for (where, one), (_, other) in zip(left, right, strict=True):
        at = f" at {where}" if where else ""
        if one.dtype != other.dtype:
            found.differences.append(f"dtype {one.dtype} and {other.dtype}{at}")
        a, b = np.asarray(one.value), np.asarray(other.value)
        if a.shape != b.shape:
            found.differences.append(f"shape {a.shape} and {b.shape}{at}")
        elif a.size < _FEWEST:
            found.differences.append(f"only {a.size} values{at}: {_TOO_FEW}")
        else:
            statistic = _kolmogorov(a.ravel(), b.ravel())
            found.detail = f"KS at most {KS_LIMIT}"
            if statistic > KS_LIMIT:
                found.differences.append(f"distribution{at}: KS above {KS_LIMIT}")
    return found


def undecided(difference: str) -> bool:
    """Whether a difference is none, but random values too few to compare."""
    return difference.endswith(_TOO_FEW)


def _kolmogorov(a: Any, b: Any) -> float:
    both = np.sort(np.concatenate([a, b]))
    first = np.searchsorted(np.sort(a), both, side="right") / len(a)
    second = np.searchsorted(np.sort(b), both, side="right") / len(b)
    return float(np.abs(first - second).max() * math.sqrt(len(a) * len(b) / (len(a) + len(b))))
