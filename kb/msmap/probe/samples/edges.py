"""A fixed set of transformations of a sample: other dtypes, shapes at the edge, odd values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from msmap.probe.sample import Sample
from msmap.probe.samples import choose, kinds
from msmap.probe.samples.call import Known

Spec = dict[str, Any]

DTYPES = ("float16", "bfloat16", "float64", "int32", "int64", "uint8", "bool", "complex64")
_MATRIX = 2
_ALL = ("zero-d", "empty", "size-1", "non-contiguous")
_FLOATS = ("float32", "float64", "float16", "bfloat16", "complex64", "complex128")


def others(sample: Sample, known: Known) -> Iterator[Sample]:
    """The sample with its inputs changed in each way that changes them."""
    if not sample.inputs or sample.raises:
        return
    for edge in _ALL:
        yield from _changed(sample, known, edge, {n: _edged(s, edge) for n, s in _of(sample)})
    (name, first), *rest = _of(sample)
    if rest:
        broadcast = {name: _edged(first, "size-1"), **dict(rest)}
        yield from _changed(sample, known, "broadcast", broadcast)
    odd = {n: _edged(s, "nonfinite") if s["dtype"] in _FLOATS else s for n, s in _of(sample)}
    yield from _changed(sample, known, "nonfinite", odd)


def dtypes(sample: Sample, known: Known) -> Iterator[Sample]:
    """The sample with its float32 inputs in each of the other dtypes."""
    if sample.raises or "float32" not in {s["dtype"] for s in sample.inputs.values()}:
        return
    for dtype in DTYPES:
        inputs = {n: _typed(s, dtype) if s["dtype"] == "float32" else s for n, s in _of(sample)}
        yield from _changed(sample, known, dtype, inputs)


def _of(sample: Sample) -> list[tuple[str, Spec]]:
    return list(sample.inputs.items())


def _changed(sample: Sample, known: Known, name: str, inputs: dict[str, Spec]) -> Iterator[Sample]:
    if inputs == sample.inputs:
        return
    try:
        found = kinds.of(sample.torch, inputs, known)
    except (ValueError, OverflowError):
        return  # such as nan as an integer
    dtype = str(next(iter(inputs.values()))["dtype"])
    yield replace(sample, id=f"{sample.id}-{name}", inputs=inputs, dtype=dtype, kinds=found)


def _edged(spec: Spec, edge: str) -> Spec:
    flat = edge == "non-contiguous" and choose.rank(spec) < _MATRIX
    if flat or "edge" in spec or 0 in spec.get("shape", ()):
        return spec
    return {**spec, "edge": edge}


def _typed(spec: Spec, dtype: str) -> Spec:
    made = {**spec, "dtype": dtype}
    if dtype.startswith(("int", "uint")):
        low = 0 if dtype.startswith("u") else int(spec.get("low", -3))
        if "shape" in spec and "values" not in spec:
            made |= {"low": low, "high": max(low + 1, int(spec.get("high", 3)))}
        elif not _fits(spec["values"], -100 if low else 0):
            return spec
    return made


def _fits(values: Any, low: int) -> bool:
    """Whether all values are numbers from ``low`` to 100: others become what the machine likes."""
    if isinstance(values, list):
        return all(_fits(value, low) for value in values)
    return not isinstance(values, str) and low <= values <= 100
