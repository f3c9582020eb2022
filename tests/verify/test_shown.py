"""Results as short lines that another processor's rounding doesn't change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from msmap.verify.trial import shown

NAN, INF = float("nan"), float("inf")


def f32(*values: Any) -> Any:
    return np.array(values, np.float32)


# name -> (the result, its line)
CASES: dict[str, tuple[Any, str]] = {
    "three digits": (f32(1.23456, 0.0123456, -0.5), "[1.23, 0.0123, -0.5]"),
    "no more decimals than rounding leaves": (
        f32(1.23456, 0.00123456, 1e-4), "[1.23, 0.0012, 0.0001]",
    ),
    "digits before the point": (f32(123456.0, 12.3), "[123000.0, 10.0]"),
    "a tiny largest": (f32(1.23456e-30), "[1.23e-30]"),
    "what rounding leaves of zero": (f32(1e-8, -1e-8, 1), "[0.0, 0.0, 1.0]"),
    "zero alone": (f32(0.0, -0.0), "[0.0, 0.0]"),
    "what isn't finite": (f32(NAN, INF, -INF, 2.5), "[nan, inf, -inf, 2.5]"),
    "nothing": (f32(), "[]"),
    "a number of a tensor": (np.float32(0.1), "0.1"),
    "complex": (np.array([1.23456 + 0.00456j]), "[(1.23+0.0046j)]"),
    "integers": (np.array([123456, 1]), "[123456, 1]"),
    "bools": (np.array([True]), "[True]"),
    "a large tensor": (np.zeros((4, 5), np.float32), "float32[4, 5]"),
    "float16, in which all figures are rounding": (np.array([1.5], np.float16), "float16[1]"),
    "float16 without figures": (np.array([0, NAN, INF], np.float16), "[0.0, nan, inf]"),
    "several": ((f32(1.2345), np.array([7])), "([1.23], [7])"),
    "plain values": ((1, 2.3456, "a", None, True), "(1, 2.35, 'a', None, True)"),
    "a text": ("float32", "float32"),
    "too long": ("a" * 200, "a" * 157 + "..."),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_result_as_a_line(name: str) -> None:
    result, line = CASES[name]
    assert shown.one(result) == line


@pytest.mark.parametrize(
    "value", [1.0, 10.0, 0.125, 0.375, 1.0625, 2.0005, 99.95, 1 / 3, 0.1, 1e-5, 3.4e38, 12345.0]
)
@pytest.mark.parametrize("beside", [1.0, 1000.0])
def test_rounding_moves_no_figure(value: float, beside: float) -> None:
    """Not even of values that stand between two figures, as fractions of two often do."""
    lines = {
        shown.one(np.array([value * (1 + units * 1e-7), value * beside])) for units in (-2, 0, 2)
    }
    assert len(lines) == 1


@pytest.mark.parametrize(
    ("left", "right", "lines"),
    [
        (f32(1.0), f32(2.0), ("[1.0]", "[2.0]")),
        (f32(1.0), f32(1.001), ("[1.0]", "[1.001]")),
        (f32(1.0), f32(1.00001), ("[1.0]", "[1.0]")),
    ],
)
def test_two_results_differ_where_four_digits_show_it(
    left: Any, right: Any, lines: tuple[str, str]
) -> None:
    assert shown.both(left, right) == lines


@pytest.mark.parametrize(
    ("result", "text", "fit"),
    [
        (f32(0.36788), "[0.3679]", True),
        (f32(0.36795), "[0.3679]", True),
        (f32(0.3680), "[0.3679]", False),
        (f32(1.0), "[1.0]", True),
        (f32(1.001), "[1.0]", False),
        (f32(1e-9, 1.0), "[0.0, 1.0]", True),
        (f32(1e-9), "[0.0]", False),
        (f32(1e-9), "[1e-09]", True),
        (f32(100.0, 46.05), "[100.0, 46.05]", True),
        (f32(NAN, -INF), "[nan, -inf]", True),
        (f32(NAN), "[inf]", False),
        (f32(1.0, 2.0), "[1.0]", False),
        (f32(1.0), "1.0", False),
        (np.array([1]), "[1]", True),
        (np.array([32001.0], np.float16), "[32000.0]", True),
        (np.zeros((4, 5), np.float32), "float32[4, 5]", True),
        (np.zeros((4, 5), np.float32), "float32[5, 4]", False),
        (np.array([1 + 2j]), "[(1+2j)]", True),
        (True, "True", True),
        (False, "True", False),
        ("mean", "mean", True),
        ("mean", "sum", False),
    ],
)
def test_a_result_fits_what_a_check_says(result: Any, text: str, fit: bool) -> None:
    assert shown.fits(result, text) is fit
