"""Results as short lines, in so few digits that another processor's rounding shows no other line.

Figures have few digits, and fewer the smaller they are beside the largest value, because what
rounding does to a small value is a part of the large ones that it came from.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from msmap.verify.trial.results import COARSE, Leaf, leaves

# Significant digits; the second where the first shows no difference. None is further from the
# first digit of the largest value than this.
_DIGITS = (3, 4)
_FURTHEST = 4
# Digits to which a value is rounded first: what should be 0.125 is then just that, and always
# goes the same way from there.
_EXACT = 6
# Digits in which a result must fit the text of a check, and the rounding that is no difference.
_FITTING = 4
_ROUNDING = 1e-6
_LONGEST = 160
_MOST_VALUES = 16
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)j?(?!\w)")


def one(value: Any) -> str:
    """A result; of large tensors, and of numbers in float16 and bfloat16, the shape alone."""
    return _cut(_text(value, _DIGITS[0]))


def both(torch: Any, mindspore: Any) -> tuple[str, str]:
    """Two results, with a digit more where they would look alike."""
    left, right = one(torch), one(mindspore)
    if left != right:
        return left, right
    return _cut(_text(torch, _DIGITS[1])), _cut(_text(mindspore, _DIGITS[1]))


def fits(value: Any, text: str) -> bool:
    """Whether a result is what a check says that it gives, to four digits and up to rounding."""
    found = _text(value, None)
    if _NUMBER.sub("#", found) != _NUMBER.sub("#", text):
        return False
    numbers = [complex(n) for n in _NUMBER.findall(found)]
    wanted = [complex(n) for n in _NUMBER.findall(text)]
    largest = max((abs(n) for n in numbers if math.isfinite(abs(n))), default=0.0)
    return all(
        _close(mine.real, theirs.real, largest) and _close(mine.imag, theirs.imag, largest)
        for mine, theirs in zip(numbers, wanted, strict=True)
    )


def _close(found: float, wanted: float, largest: float) -> bool:
    if not (math.isfinite(found) and math.isfinite(wanted)):
        return found == wanted or (math.isnan(found) and math.isnan(wanted))
    unit = 10.0 ** (_power(abs(wanted)) - _FITTING + 1) if wanted else 0.0
    return abs(found - wanted) <= unit / 2 + _ROUNDING * largest


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _text(value: Any, digits: int | None) -> str:
    """A result as text; all digits of everything small enough if None."""
    parts = [_leaf(leaf, digits) for _, leaf in leaves(value)]
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def _leaf(leaf: Leaf, digits: int | None) -> str:
    value = leaf.value
    if isinstance(value, np.ndarray):
        if value.size > _MOST_VALUES:
            return f"{value.dtype}{list(value.shape)}"
        rounds = leaf.dtype in COARSE and (np.isfinite(value) & (value != 0)).any()
        if rounds and digits is not None:
            return f"{leaf.dtype}{list(value.shape)}"
        value = value.tolist()
    if digits is not None:
        value = _rounded(value, digits, _FURTHEST - _power(max(_sizes(value), default=0.0)))
    return str(value).replace("'", "") if isinstance(leaf.value, np.ndarray) else str(value)


def _sizes(value: Any) -> Iterator[float]:
    """How large the finite numbers in a value are."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _sizes(item)
    elif isinstance(value, float | complex) and math.isfinite(abs(value)):
        yield abs(value)


def _power(size: float) -> int:
    """The power of ten of a value's first digit."""
    return math.floor(math.log10(float(f"{size:.{_EXACT - 1}e}"))) if size else 0


def _rounded(value: Any, digits: int, most: int) -> Any:
    """The numbers in a value in so many digits, with at most so many decimals."""
    if isinstance(value, list | tuple):
        return type(value)(_rounded(item, digits, most) for item in value)
    if isinstance(value, complex):
        return complex(_rounded(value.real, digits, most), _rounded(value.imag, digits, most))
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    decimals = min(digits - 1 - _power(abs(value)), most)
    # Adding 0.0 takes the sign from what became zero.
    return round(round(value, decimals + _EXACT - _DIGITS[0]), decimals) + 0.0
