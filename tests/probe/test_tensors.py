"""Values of PyTorch's samples as inputs: in few digits, by range where they mean no more."""

from __future__ import annotations

from typing import Any

import pytest

np = pytest.importorskip("numpy")

from msmap.probe.samples import tensors  # noqa: E402
from msmap.verify.trial import inputs  # noqa: E402

RANDOM = np.random.default_rng(1)
SQUARE = RANDOM.uniform(-1, 1, (9, 9))


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (np.array([[1, 2]]), [[1, 2]]),
        (np.array([True]), [True]),
        (np.array(0.123456789), 0.12346),
        (np.array([1.5, 65504.0], np.float16), [1.5, 65504.0]),
        (np.array([np.nan, -np.inf, 0.5]), ["nan", "-inf", "0.5"]),
        (np.array([1 + 2j, complex("nan")]), ["(1+2j)", "(nan+0j)"]),
        (np.zeros((0, 2)), []),
    ],
)
def test_values(array: Any, expected: Any) -> None:
    assert tensors.values(array) == expected


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "int8"])
def test_values_are_read_as_they_are_written(dtype: str) -> None:
    array = (RANDOM.uniform(-9, 9, (3, 4)) * 10).astype(dtype)
    read = inputs.array("x", {"values": tensors.values(array), "dtype": dtype})
    assert np.allclose(read, array, rtol=1e-4)
    assert tensors.values(read) == tensors.values(array)


# values that a range can't stand for
MEANING = {
    "sorted": np.sort(RANDOM.uniform(0, 1, (3, 30))),
    "permuted": np.stack([RANDOM.permutation(40) for _ in range(2)]),
    "symmetric": SQUARE + SQUARE.T,
    "triangular": np.tril(SQUARE),
    "probabilities": np.full((10, 10), 0.1),
    "nonfinite": np.where(SQUARE > 0.9, np.nan, SQUARE),
}


@pytest.mark.parametrize("name", MEANING)
def test_values_that_mean_more_than_their_range(name: str) -> None:
    assert tensors.means(MEANING[name])


@pytest.mark.parametrize(
    "array", [SQUARE, RANDOM.integers(0, 9, (9, 9)), SQUARE > 0, SQUARE + 1j * SQUARE.T]
)
def test_values_drawn_by_chance(array: Any) -> None:
    assert not tensors.means(array)
