"""What counts as the same result: structure, dtypes, shapes, values, and how much rounding."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")

from msmap.verify.trial import compare  # noqa: E402

NAN, INF = float("nan"), float("inf")


def f32(*values: float) -> Any:
    return np.array(values, np.float32)


def c64(real: float, imaginary: float) -> Any:
    return np.array([complex(real, imaginary)], np.complex64)


def ulps_from(value: float, count: int, dtype: str = "float32") -> Any:
    """A value and the one that many units in its last place above it."""
    start = np.array([value], dtype)
    return start, np.array([float(start[0]) + count * float(np.spacing(start[0]))], dtype)


# name -> (what PyTorch gave, what MindSpore gave, what differs)
CASES: dict[str, tuple[Any, Any, list[str]]] = {
    "equal": (f32(1, 2), f32(1, 2), []),
    "nan and infinities": (f32(NAN, INF, -INF), f32(NAN, INF, -INF), []),
    "zeros of either sign": (f32(0.0), f32(-0.0), []),
    "nothing": (f32(), f32(), []),
    "an infinity of the other sign": (
        f32(INF, 1), f32(-INF, 1), ["1 of 2 values, 1 of them nan or inf on one side"],
    ),
    "nan on one side": (
        f32(NAN, 1), f32(0, 1), ["1 of 2 values, 1 of them nan or inf on one side"],
    ),
    "nan, and a number that is off": (
        f32(NAN, 1, 4),
        f32(0, 1.5, 4),
        ["2 of 3 values, 1 of them nan or inf on one side, by about 1"],
    ),
    "rounding": (f32(1.0), f32(1.0000001), []),
    "64 units in the last place": (*ulps_from(1.0, 64), []),
    "65 units in the last place": (
        *ulps_from(1.0, 65), ["values, by less than 0.001 of the largest"],
    ),
    "many units of a small value beside a large one": (f32(1e-9, 1), f32(2e-9, 1), []),
    "more than the tolerance in few units of the largest value": (
        f32(1.0, 1000.0),
        f32(1.0005, 1000.0),
        ["values, by less than 0.001 of the largest"],
    ),
    "64 units of float64": (*ulps_from(1.0, 64, "float64"), []),
    "65 units of float64": (
        *ulps_from(1.0, 65, "float64"), ["values, by less than 0.001 of the largest"],
    ),
    "two units of float16, its tolerance": (*ulps_from(1.0, 2, "float16"), []),
    "five units of float16, beyond it": (
        *ulps_from(1.0, 5, "float16"), ["values"],
    ),
    "complex numbers": (
        np.array([1 + 1j], np.complex64), np.array([1 + 2j], np.complex64),
        ["1 of 1 values, by about 1"],
    ),
    "a complex nan in the same part": (c64(NAN, 1), c64(NAN, 1.0000001), []),
    "a complex nan in the other part": (
        c64(NAN, 1), c64(1, NAN), ["1 of 1 values, 1 of them nan or inf on one side"],
    ),
    "a complex nan whose other part differs": (
        c64(NAN, 1), c64(NAN, 2), ["1 of 1 values, 1 of them nan or inf on one side"],
    ),
    "complex infinities in all parts": (c64(INF, NAN), c64(INF, NAN), []),
    "parts of which none is finite": (c64(INF, NAN), c64(NAN, -INF), []),
    "a complex infinity with another sign": (
        c64(-INF, 0), c64(INF, 0), ["1 of 1 values, 1 of them nan or inf on one side"],
    ),
    "another dtype": (f32(1), np.array([1.0]), ["dtype float32 and float64"]),
    "another shape": (f32(1, 2), f32(1), ["shape (2,) and (1,)"]),
    "integers": (np.array([1, 2]), np.array([1, 3]), ["1 of 2 values"]),
    "bools": (np.array([True]), np.array([False]), ["1 of 1 values"]),
    "more results": ([f32(1), f32(2)], [f32(1)], ["structure: 2 values and 1 value"]),
    "one result in a list": ([f32(1)], f32(1), ["structure: 1 value and 1 value"]),
    "a list of tensors for a tuple": ((f32(1), f32(2)), [f32(1), f32(2)], []),
    "a place in a result": (
        {"a": [f32(1), f32(2)]}, {"a": [f32(1), f32(3)]},
        ["1 of 1 values at ['a'][1], by about 1"],
    ),
    "plain numbers": ((1, 2.5, "a", None, True), (1, 2.5, "a", None, True), []),
    "other plain numbers": ((1, 2), (1, 3), ["(1, 2) and (1, 3)"]),
    "plain floats up to rounding": ((1.0, NAN), (1.000001, NAN), []),
    "a small setting that differs": (1e-5, 1e-7, ["1e-05 and 1e-07"]),
    "plain floats beyond rounding": (1.0, 1.001, ["1.0 and 1.001"]),
    "an integer for a float": (1, 1.0, ["dtype int and float"]),
    "a number for a tensor": (
        f32(1), 1.0, ["dtype float32 and float", "[1.0] and 1.0"],
    ),
    "more plain numbers": ((1, 2), (1, 2, 3), ["(1, 2) and (1, 2, 3)"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_differs(name: str) -> None:
    torch, mindspore, expected = CASES[name]
    assert compare.same(torch, mindspore).differences == expected


@pytest.mark.parametrize(
    ("rtol", "atol", "differences"),
    [
        (None, None, ["1 of 1 values, by about 0.01"]),
        (1e-3, 1e-3, ["1 of 1 values, by about 0.01"]),
        (1e-2, 1e-2, []),
        (0.0, 2e-2, []),
    ],
)
def test_a_tolerance_that_is_stated_counts_alone(
    rtol: float | None, atol: float | None, differences: list[str]
) -> None:
    """Neither units in the last place nor PyTorch's own error are asked for then."""
    found = compare.same(f32(1), f32(1.01), rtol, atol)
    assert (found.differences, found.numeric) == (differences, rtol is None)


@pytest.mark.parametrize(
    ("own", "differences"),
    [
        ([], ["1 of 1 values at [0], by about 0.01"]),
        ([1e-3, 1.0], ["1 of 1 values at [0], by about 0.01"]),
        ([0.0, 1.0], ["1 of 1 values at [0], by about 0.01"]),
        ([2e-3, 0.0], []),
    ],
)
def test_eight_times_pytorchs_own_error_is_rounding(
    own: list[float], differences: list[str]
) -> None:
    """Each tensor of a result has its own."""
    exact = [np.array([1.0 + error]) for error in own] or None
    found = compare.same([f32(1), f32(1)], [f32(1.01), f32(1)], exact=exact)
    assert found.differences == differences


@pytest.mark.parametrize(
    ("scale", "left", "differences"),
    [
        (0.0, 2.0**-53, ["1 of 1 values, by about 1e-16"]),
        (1.0, 2.0**-53, []),
        (1.0, 8 * 2.0**-52, []),
        (1.0, 9 * 2.0**-52, ["1 of 1 values, by about 1e-15"]),
        (1e-3, 2.0**-52, ["1 of 1 values, by about 1e-16"]),
    ],
)
def test_what_is_left_of_numbers_that_cancel_out_is_their_rounding(
    scale: float, left: float, differences: list[str]
) -> None:
    """Up to eight units in the last place of the largest of them."""
    found = compare.same(np.array([0.0]), np.array([left]), scale=scale)
    assert found.differences == differences


def test_the_size_of_a_result_is_its_largest_finite_value() -> None:
    assert compare.size([f32(1, -3, INF), (np.array([7]), "x"), f32()]) == 3.0


# name -> (what PyTorch gave, MindSpore, PyTorch in float64, what differs)
SOUNDER: dict[str, tuple[Any, Any, Any, list[str]]] = {
    "a nan that float64 has not": (f32(NAN, 1), f32(INF, 1), np.array([INF, 1.0]), []),
    "a nan that only MindSpore has": (
        f32(INF, 1), f32(NAN, 1), np.array([INF, 1.0]),
        ["1 of 2 values, 1 of them nan or inf on one side"],
    ),
    "a nan that float64 has too": (
        f32(NAN, 1), f32(INF, 1), np.array([NAN, 1.0]),
        ["1 of 2 values, 1 of them nan or inf on one side"],
    ),
    "a nan that both have, float64 not": (f32(NAN, 1), f32(NAN, 1), np.array([INF, 1.0]), []),
    "more than float32 can hold": (f32(NAN), f32(INF), np.array([1e39]), []),
    "numbers stay what they are": (
        f32(NAN, 1), f32(INF, 2), np.array([INF, 1.0]), ["1 of 2 values, by about 1"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SOUNDER)
def test_a_nan_that_pytorch_gives_in_float32_alone_is_no_difference(name: str) -> None:
    torch, mindspore, exact, differences = SOUNDER[name]
    assert compare.same(torch, mindspore, exact=exact).differences == differences


@pytest.mark.parametrize(
    ("plain", "exact", "errors"),
    [
        (f32(1, 2), np.array([1.0, 2.5]), [0.5]),
        ([f32(1), f32(2)], [np.array([1.25]), np.array([2.0])], [0.25, 0.0]),
        (f32(1, INF, NAN), np.array([1.0, 5.0, NAN]), [0.0]),
        (f32(), np.array([]), [0.0]),
        (f32(1), f32(2), [0.0]),
        (f32(1), np.array([1.0, 2.0]), [0.0]),
        ((1, 2), (1, 2), [0.0]),
        ([f32(1)], [np.array([1.0]), np.array([1.0])], []),
    ],
    ids=["one", "several", "nonfinite", "nothing", "a dtype that stayed", "another shape",
         "no tensor", "another structure"],
)  # fmt: skip
def test_pytorchs_own_errors(plain: Any, exact: Any, errors: list[float]) -> None:
    assert compare.own_errors(plain, exact) == errors


def samples(low: float, high: float, count: int) -> Any:
    return np.random.default_rng(1).uniform(low, high, count).astype(np.float32)


@pytest.mark.parametrize(
    ("mindspore", "differences"),
    [
        (np.random.default_rng(2).uniform(0, 1, 2000).astype(np.float32), []),
        (samples(0, 1.2, 2000), ["distribution: KS above 2.7"]),
        (samples(0, 1, 999), ["shape (2000,) and (999,)"]),
        (samples(0, 1, 2000).astype(np.float64), ["dtype float32 and float64"]),
    ],
    ids=["alike", "wider", "fewer", "another dtype"],
)
def test_distributions(mindspore: Any, differences: list[str]) -> None:
    assert compare.distribution(samples(0, 1, 2000), mindspore).differences == differences
