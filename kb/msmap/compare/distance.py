"""How far two tensors are apart, by the yardstick of PyTorch's own noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from msmap.compare.terms import Sizes
from msmap.recording.model import Recording, Tensor

# Both sides round: so many times PyTorch's own error is noise; of gradients and what optimizers
# make of them, in whose sums much cancels out, more.
OWN, OWN_LATER = 10.0, 40.0
# Where that error happens to be nothing, so many units in the last place of what is usual and of
# the largest value are noise: frameworks compute exp, tanh or erf by other formulas. What comes
# after, gradients and what optimizers make of them, has them several times over.
ULPS, MOST_ULPS = 24.0, 96.0
LATER = 8.0
# The ratio of what can't be measured: other shapes, whole numbers, what isn't finite.
MOST = 1e9
# Without a run in float64: the part of a tensor's size by which rounding alone may change it.
UNKNOWN, UNKNOWN_GRADIENT = 1e-4, 2e-3
# A value at a kink (of relu, of a maximum) may fall on either side: of a gradient, so many of the
# values may be off.
_KINKS = 0.005
# Statistics don't tell such values from others: so far may a gradient be off as a whole.
KINKED = 2e-3
_STEP = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float64": 2.0**-52}
_FLOATS = ("float16", "bfloat16", "float32", "float64")


def apart(
    torch: tuple[Recording, Tensor], mindspore: tuple[Recording, Tensor],
    gradient: bool = False, mapped: Any = None,
    later: bool = False,
) -> Sizes:  # fmt: skip
    """How far two tensors are apart.

    Args:
        torch: PyTorch's recording and tensor.
        mindspore: MindSpore's.
        gradient: few values of many may be off: those at a kink.
        mapped: PyTorch's values in MindSpore's shape, where a record changes it.
        later: it comes after a step of an optimizer.
    """
    one, other = torch[1], mindspore[1]
    floats = one.dtype in _FLOATS, other.dtype in _FLOATS
    if all(floats) and one.dtype != other.dtype:
        return Sizes("dtype", ratio=MOST, detail=f"{one.dtype}, {other.dtype}")
    own = one.own
    shape = one.shape if mapped is None else tuple(mapped.shape)
    if shape != other.shape:
        if _squeezed(shape) != _squeezed(other.shape):
            return Sizes("shape", ratio=MOST, detail=f"{shape}, {other.shape}")
        mapped = None if mapped is None else mapped.reshape(other.shape)
    if one.data and other.data:
        left = torch[0].value(one) if mapped is None else mapped
        return _values(left, mindspore[0].value(other), own, one.dtype, gradient, later)
    if mapped is not None and mapped.size and not one.data:
        return Sizes("unknown")
    return _statistics(torch, mindspore, own, gradient, later)


def moved(recording: Recording, before: Tensor | None, after: Tensor | None) -> float | None:
    """How far a tensor has moved, as a part of its size; None where nothing tells.

    Raises:
        BadRecording: its values can't be read.
    """
    if before is None or after is None or before.shape != after.shape:
        return None
    if before.data and after.data:
        values = recording.value(after).reshape(-1)
        return _part(_root(values - recording.value(before).reshape(-1)), _root(values))
    one, other = _told(recording, before), _told(recording, after)
    far = None if one is None or other is None else _far_by_sums(one, other)
    if other is None or far is None:
        return None
    return _part(far, other.get("norm", 0.0))


def _far_by_sums(one: dict[str, Any], other: dict[str, Any]) -> float | None:
    """The norm of the difference of two tensors, by their sums of random signs, to a third or so.

    None where these weren't kept.
    """
    signed = one.get("signed", []), other.get("signed", [])
    if not len(signed[0]) == len(signed[1]) > 0:
        return None
    return _root(np.subtract(*signed))


def _squeezed(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(size for size in shape if size != 1)


def _values(
    left: Any, right: Any, own: tuple[float, float] | None, dtype: str, gradient: bool,
    later: bool,
) -> Sizes:  # fmt: skip
    left, right = np.asarray(left).reshape(-1), np.asarray(right).reshape(-1)
    if not left.size:
        return Sizes("agrees")
    if left.dtype.kind != "f" or right.dtype.kind != "f":
        wrong = int((left != right).sum())
        if not wrong:
            return Sizes("agrees")
        return Sizes("differs", 1.0, wrong / left.size, None, MOST, f"{wrong} / {left.size}")
    with np.errstate(all="ignore"):
        finite = np.isfinite(left)
        if not (finite.all() and np.isfinite(right).all()):
            alike = (left == right) | (np.isnan(left) & np.isnan(right))
            if not (alike | (finite & np.isfinite(right))).all():
                return Sizes("broken", ratio=MOST, detail=_broken(left, right))
            left, right = left[finite], right[finite]
            if not left.size:
                return Sizes("agrees")
        off = np.abs(left - right).astype(np.float64)
        size = _root(left)
        largest = float(off.max())
        top = float(np.abs(left).max())
    if not largest:
        return Sizes("agrees", noise=None if own is None else _part(own[1], size))
    far = _root(off)
    usual, most = _most(own, size, top, dtype, gradient or later)
    kinks = far / usual if gradient and usual else 0.0
    if gradient and off.size > 1 and far > usual:
        kept = off.size - max(1, int(off.size * _KINKS))
        far = min(far, _root(np.partition(off, kept - 1)[:kept]) if kept > 1 else far)
    ratio = far / usual if usual else MOST
    if not gradient and most:
        ratio = max(ratio, largest / most)
    return Sizes(
        "differs" if ratio > 1 else "agrees", largest, _part(_root(off), size),
        None if own is None else _part(own[1], size), float(min(ratio, MOST)),
        kinks=float(min(kinks, MOST)),
    )  # fmt: skip


def _most(
    own: tuple[float, float] | None, size: float, top: float, dtype: str, later: bool
) -> tuple[float, float]:
    """The root of the mean square, and the largest, of differences that are noise."""
    unit = _STEP.get(dtype, 2.0**-23)
    if own is None:
        part = max(UNKNOWN_GRADIENT if later else UNKNOWN, ULPS * unit)
        return part * size, part * top * 4
    unit *= LATER if later else 1.0
    times = OWN_LATER if later else OWN
    return max(times * own[1], ULPS * unit * size), max(times * own[0], MOST_ULPS * unit * top)


def _root(values: Any) -> float:
    wide = values.astype(np.float64, copy=False)
    return float(np.sqrt(np.dot(wide, wide) / max(1, wide.size)))


def _part(value: float, size: float) -> float:
    return value / size if size else (0.0 if not value else 1.0)


def _broken(left: Any, right: Any) -> str:
    said = []
    for side, values in (("PyTorch", left), ("MindSpore", right)):
        nan, infinite = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        said.append(f"{side} {nan} nan, {infinite} inf")
    return "; ".join(said)


def _statistics(
    torch: tuple[Recording, Tensor], mindspore: tuple[Recording, Tensor],
    own: tuple[float, float] | None, gradient: bool, later: bool,
) -> Sizes:  # fmt: skip
    left, right = _told(*torch), _told(*mindspore)
    if left is None or right is None:
        return Sizes("unknown")
    if left.get("broken", 0) != right.get("broken", 0):
        counts = f"PyTorch {left.get('broken', 0)}, MindSpore {right.get('broken', 0)}"
        return Sizes("broken", ratio=MOST, detail=counts)
    count = max(1, int(np.prod(torch[1].shape)))
    size = left.get("norm", 0.0) / np.sqrt(count)
    top = max(abs(left.get("max", 0.0)), abs(left.get("min", 0.0)))
    summed = _far_by_sums(left, right)
    if summed is not None:
        far = summed / np.sqrt(count)
    else:
        far = abs(left.get("norm", 0.0) - right.get("norm", 0.0)) / np.sqrt(count)
        far = max(far, abs(left.get("mean", 0.0) - right.get("mean", 0.0)))
    most = max(abs(left.get(key, 0.0) - right.get(key, 0.0)) for key in ("max", "min"))
    usual, largest = _most(own, size, top, torch[1].dtype, gradient or later)
    if gradient or later:
        usual = max(usual, KINKED * size)
    if torch[1].dtype not in _FLOATS:
        usual = largest = 0.0
    if not far and not most:
        return Sizes("agrees")
    # Eight sums tell the root of a mean square to a third or so.
    ratio = max(far / (2 * usual) if usual else MOST, most / largest if largest else MOST)
    if gradient:
        ratio = far / (2 * usual) if usual else MOST
    noise = None if own is None else _part(own[1], size)
    return Sizes(
        "differs" if ratio > 1 else "agrees", most, _part(far, size), noise, float(min(ratio, MOST))
    )


def _told(recording: Recording, tensor: Tensor) -> dict[str, Any] | None:
    if tensor.data:
        from msmap.recording.numbers import statistics

        return statistics(recording.value(tensor))
    return tensor.statistics
