"""Results of both frameworks in one form, and what differs between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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


@dataclass(frozen=True, slots=True)
class Leaf:
    """A tensor or plain value in a result; ``dtype`` is the framework's own, without prefix."""

    value: Any
    dtype: str


@dataclass(slots=True)
class Comparison:
    """What differs; ``numeric`` says that floats differ by a finite amount: it may be rounding."""

    differences: list[str] = field(default_factory=list)
    detail: str = ""
    numeric: bool = False


def leaves(value: Any, where: str = "") -> list[tuple[str, Leaf]]:
    """The tensors and plain values in a result, each with its place, such as ``[0][1]``."""
    if isinstance(value, dict):
        return [leaf for k in value for leaf in leaves(value[k], f"{where}[{k!r}]")]
    is_size = type(value).__name__ == "Size"
    if isinstance(value, tuple | list) and not is_size:
        if all(isinstance(v, int | float | bool | str | None.__class__) for v in value):
            return [(where, Leaf(tuple(value), "tuple"))]
        return [leaf for i, v in enumerate(value) for leaf in leaves(v, f"{where}[{i}]")]
    return [(where, _leaf(value))]


def _leaf(value: Any) -> Leaf:
    module = type(value).__module__
    if type(value).__name__ == "Size":
        return Leaf(tuple(value), "tuple")
    if module.startswith("torch") and hasattr(value, "detach"):
        value = value.detach().resolve_conj().resolve_neg()
        name = str(value.dtype).removeprefix("torch.")
        return Leaf((value.float() if name == "bfloat16" else value).cpu().numpy(), name)
    # Not by its module: a Parameter's class is made at run time.
    if hasattr(value, "asnumpy"):
        name = str(value.dtype).lower()
        if name == "bfloat16":
            value = value.float()
        return Leaf(np.array(value.asnumpy()), name)
    if isinstance(value, np.ndarray | np.generic):
        return Leaf(np.asarray(value), str(value.dtype))
    text = str(value)
    if module.startswith(("torch", "mindspore")):
        text = text.removeprefix("torch.").lower()
        return Leaf(text, type(value).__name__.lower())
    plain = value is None or isinstance(value, int | float | bool | str | complex)
    return Leaf(value if plain else text, type(value).__name__)


def same(
    torch: Any,
    mindspore: Any,
    rtol: float | None = None,
    atol: float | None = None,
    own: Sequence[float] = (),
) -> Comparison:
    """Compare structure, shapes, dtypes and values of two results.

    Args:
        torch: what PyTorch gave.
        mindspore: what MindSpore gave.
        rtol: relative tolerance; by default that of the dtype.
        atol: absolute tolerance; by default that of the dtype.
        own: PyTorch's own largest error in each tensor of the result.
    """
    found = Comparison()
    left, right = leaves(torch), leaves(mindspore)
    if [where for where, _ in left] != [where for where, _ in right]:
        found.differences.append(f"structure: {_shape(left)} and {_shape(right)}")
        return found
    for place, ((where, one), (_, other)) in enumerate(zip(left, right, strict=True)):
        slack = OWN * own[place] if place < len(own) else 0.0
        _leaves(where, one, other, (rtol, atol), slack, found)
    return found


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


def _shape(found: list[tuple[str, Leaf]]) -> str:
    return f"{len(found)} value{'s' * (len(found) != 1)}"


def _leaves(
    where: str,
    one: Leaf,
    other: Leaf,
    tolerance: tuple[float | None, float | None],
    slack: float,
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
            found.differences.append(f"{show(one.value)} and {show(other.value)}{at}")
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
    _floats(at, one, other, tolerance, slack, found)


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
    slack: float,
    found: Comparison,
) -> None:
    default = TOLERANCE.get(one.dtype, TOLERANCE["float32"])
    rtol, atol = (d if t is None else t for t, d in zip(tolerance, default, strict=True))
    wide = np.result_type(one.value.dtype, np.float64)
    left, right = one.value.astype(wide), other.value.astype(wide)
    with np.errstate(all="ignore"):
        plain = np.isfinite(left) & np.isfinite(right)
        equal = (left == right) | (np.isnan(left) & np.isnan(right))
        error = np.where(plain, np.abs(left - right), 0.0)
        bad = ~equal & ~(plain & (error <= np.maximum(atol + rtol * np.abs(left), slack)))
    largest = float(error.max())
    size = float(max(np.abs(side[plain]).max(initial=0.0) for side in (left, right)))
    ulps = largest / _unit(one.dtype, size) if size else 0.0
    # Below the smallest normal number there is no precision to lose.
    seen = largest > max(slack, float(np.finfo(np.float32).tiny))
    loose = tolerance[0] is None and ulps > MOST_ULPS and seen
    if bad.any() or loose:
        # A stated tolerance is the last word.
        found.numeric = tolerance[0] is None
        count = int((bad if bad.any() else ~equal).sum())
        text = f"{count} of {bad.size} values{at}"
        if strange := int((bad & ~plain).sum()):
            text += f", {strange} of them nan or inf on one side"
        if strange < count:
            text += f", largest error {rounded(largest):g} ({rounded(ulps):g} ulps)"
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
            found.differences.append(f"only {a.size} values{at}: {_FEWEST} are needed to compare")
        else:
            statistic = _kolmogorov(a.ravel(), b.ravel())
            found.detail = f"KS at most {KS_LIMIT}"
            if statistic > KS_LIMIT:
                found.differences.append(f"distribution{at}: KS {statistic:.2g} > {KS_LIMIT}")
    return found


def _kolmogorov(a: Any, b: Any) -> float:
    both = np.sort(np.concatenate([a, b]))
    first = np.searchsorted(np.sort(a), both, side="right") / len(a)
    second = np.searchsorted(np.sort(b), both, side="right") / len(b)
    return float(np.abs(first - second).max() * math.sqrt(len(a) * len(b) / (len(a) + len(b))))


def rounded(value: float) -> float:
    """An error to two significant digits: enough to read, and the same on a rerun."""
    return float(f"{value:.1e}") if math.isfinite(value) else value


def show(value: Any) -> str:
    """A result as one short line: numbers to four significant digits."""
    parts = [text for _, leaf in leaves(value) for text in (_show(leaf.value),)]
    text = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return text if len(text) <= 160 else text[:157] + "..."


def _show(value: Any) -> str:
    if isinstance(value, np.ndarray):
        if value.size > 16:
            return f"{value.dtype}{list(value.shape)}"
        return str(_round(value.tolist())).replace("'", "")
    return str(_round(value))


def _round(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_round(v) for v in value)
    return float(f"{value:.4g}") if isinstance(value, float) else value
