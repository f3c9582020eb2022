"""What an input of a check may be: nested lists of numbers that its dtype has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msmap.messages import Message

_WHOLE = re.compile(r"(u?)int(\d+)")


def mistake(values: Any, dtype: str) -> str:
    """What is wrong with the values of an input; "" if nothing is."""
    if _shape(values) is None:
        return Message("`values`: lists side by side differ in length")
    for value in _flat(values):
        number = _number(value)
        if number is None:
            return Message("`values`: {!r} is no number", value)
        if not _has(dtype, number):
            return Message("`values`: {!r} is no value of {}", value, dtype)
    return ""


def _shape(values: Any) -> tuple[int, ...] | None:
    """The shape of nested lists; None if those side by side differ."""
    if not isinstance(values, list):
        return ()
    shapes = {_shape(value) for value in values}
    if len(shapes) > 1 or None in shapes:
        return None
    return (len(values), *(shapes.pop() or () if shapes else ()))


def _flat(values: Any) -> Iterator[Any]:
    if isinstance(values, list):
        for value in values:
            yield from _flat(value)
    else:
        yield values


def _number(value: Any) -> complex | int | None:
    """A number as it stands in YAML: those that YAML lacks are texts, as Python writes them."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float | str):
        try:
            return complex(value)
        except ValueError:
            return None
    return None


def _has(dtype: str, number: complex | int) -> bool:
    if dtype == "bool":
        return number in (0, 1)
    if (whole := _WHOLE.fullmatch(dtype)) is not None:
        bits = int(whole[2]) - (not whole[1])
        least = 0 if whole[1] else -(1 << bits)
        real = number.real
        return number.imag == 0 and float(real).is_integer() and least <= real < 1 << bits
    return dtype.startswith("complex") or number.imag == 0
