"""What is kept of a tensor where its values are not: enough to tell a difference of its size."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

SKETCHES = 8
_ROW = 4096


def statistics(array: Any) -> dict[str, Any]:
    """Largest, smallest, mean, norm, count of what isn't finite, and eight sums of random sign.

    Of two tensors of n values, the difference of such a sum has the mean square of n times that of
    the values: the sums of both tell how far their values are apart.
    """
    flat = np.asarray(array).ravel().astype(np.float64)
    finite = np.isfinite(flat)
    broken = int(flat.size - finite.sum())
    if broken:
        flat = np.where(finite, flat, 0.0)
    if not flat.size:
        return {"max": 0.0, "min": 0.0, "mean": 0.0, "norm": 0.0, "broken": 0, "signed": []}
    return {
        "max": float(flat.max()),
        "min": float(flat.min()),
        "mean": float(flat.mean()),
        "norm": float(np.sqrt(np.dot(flat, flat))),
        "broken": broken,
        "signed": _signed(flat),
    }


def _signed(flat: Any) -> list[float]:
    rows = -(-flat.size // _ROW)
    padded = np.zeros(rows * _ROW)
    padded[: flat.size] = flat
    by_column = padded.reshape(rows, _ROW) @ _signs(_ROW).T
    by_row = np.stack([_signs(_ROW, 1 + block)[:, : rows - at] for block, at in _blocks(rows)])
    found = np.zeros(SKETCHES)
    for (_, at), signs in zip(_blocks(rows), by_row, strict=True):
        part = by_column[at : at + _ROW]
        found += (part * signs[:, : len(part)].T).sum(0)
    return [float(value) for value in found]


def _blocks(rows: int) -> list[tuple[int, int]]:
    return [(number, at) for number, at in enumerate(range(0, rows, _ROW))]


@cache
def _signs(length: int, seed: int = 0) -> Any:
    drawn = np.random.default_rng(seed).integers(0, 2, (SKETCHES, length))
    return drawn.astype(np.float64) * 2 - 1
