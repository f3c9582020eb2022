"""A sample said shortly: inputs under short names, small, of plain numbers where these will do."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from msmap.curated import arrays
from msmap.probe.sample import Sample

Inputs = dict[str, dict[str, Any]]
# What inputs are called, by their dtype.
_LETTERS = {
    "float32": "xyzw", "float64": "de", "float16": "hg", "bfloat16": "vu", "bool": "bq",
    "complex64": "cp", "complex128": "cp",
}  # fmt: skip
_INTEGERS = "ijkn"
# Of a call: an argument that is an empty tuple or list.
_NOTHING = re.compile(r"[=,] ?(\(\)|\[\])")
_USUAL = ("float32", "", "int64", "bool")
_NONFINITE = (math.nan, math.inf, -math.inf, -0.0)
_NUMBERS = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
# So many values of a list are kept, and so large are the sizes that are made up.
_FEW = 3
_SMALL = (2, 3, 4, 5)


def proposals(sample: Sample) -> list[Sample]:
    """The sample in ever shorter forms, the shortest first; empty if no check can have its inputs.

    What they give has to be seen by running them.
    """
    plain = {name: _whole(spec) for name, spec in sample.inputs.items()}
    inputs = {name: spec for name, spec in plain.items() if spec is not None}
    if len(inputs) < len(plain):
        return []
    code, names = _renamed(sample.torch, inputs)
    inputs = {names[name]: spec for name, spec in inputs.items()}
    sizes = _sizes(inputs)
    made: list[Inputs] = []
    for change in (_as_shape, _in_range, _cut, _as_large, lambda spec, sizes: spec):
        one = {name: change(spec, sizes) for name, spec in inputs.items()}
        if one not in made:
            made.append(one)
    return [
        replace(sample, id=f"{sample.id}~{number}", torch=code, inputs=one)
        for number, one in enumerate(made)
    ]


def length(sample: Sample) -> tuple[bool, int, int, str]:
    """What it takes to read it: unusual inputs and dtypes, then text, for sorting."""
    usual = _USUAL.index(sample.dtype) if sample.dtype in _USUAL else len(_USUAL)
    odd = not set(sample.kinds) <= {"plain", "broadcasting", "negative-axis"}
    # What is given as empty shows nothing.
    odd |= _NOTHING.search(sample.torch) is not None
    return odd, usual, len(sample.torch) + len(str(sample.inputs)), sample.id


def written(spec: Mapping[str, Any]) -> str | dict[str, Any]:
    """An input as a record has it: ``float32[2, 3]``, or its values."""
    if "values" in spec:
        values = _numbers(spec["values"])
        return {"values": values} | ({"dtype": spec["dtype"]} if "dtype" in spec else {})
    text = f"{spec['dtype']}[{', '.join(map(str, spec['shape']))}]"
    if "low" in spec or "high" in spec:
        text += f" in {_number(spec.get('low', 0))}..{_number(spec.get('high', 1))}"
    return text


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)


def _numbers(values: Any) -> Any:
    """Values in which the texts that JSON needs are numbers; those of complex ones stay."""
    if isinstance(values, list):
        return [_numbers(value) for value in values]
    return _NUMBERS.get(values, values) if isinstance(values, str) else values


def _whole(spec: dict[str, Any]) -> dict[str, Any] | None:
    """An input without ``edge``: what it does to the input is done here. None if it can't be."""
    spec = dict(spec)
    if "values" in spec and "shape" in spec:
        spec["values"] = _nested(_flat(spec["values"]), spec.pop("shape"))
    if "values" in spec:
        spec["values"] = _of(spec["values"], spec["dtype"])
        if arrays.mistake(spec["values"], spec["dtype"]):
            return None
    edge = spec.pop("edge", "")
    shape = _shape(spec)
    if not edge:
        return spec
    if edge in ("empty", "size-1") and shape:
        return _cut_to(spec, [int(edge == "size-1"), *shape[1:]])
    if edge == "zero-d":
        return _cut_to(spec, [])
    if edge == "zeros" and spec["dtype"] != "bool":
        return {"shape": shape, "dtype": spec["dtype"], "low": 0, "high": 0}
    if edge == "nonfinite" and math.prod(shape):
        count = math.prod(shape)
        flat = [*_NONFINITE, *range(1, count)][:count]
        return {"values": _nested(flat, shape), "dtype": spec["dtype"]}
    return None


def _of(values: Any, dtype: str) -> Any:
    """Values as the dtype has them: a sample may be of another dtype than those it was made of."""
    if isinstance(values, list):
        return [_of(value, dtype) for value in values]
    whole = dtype.startswith(("int", "uint", "bool"))
    if not whole or not isinstance(values, float) or not math.isfinite(values):
        return values
    return bool(values) if dtype == "bool" else int(values)


def _cut_to(spec: dict[str, Any], shape: list[int]) -> dict[str, Any]:
    """An input of a smaller shape, of its own first values if it has values."""
    if "values" not in spec or not math.prod(shape):
        kept: dict[str, Any] = {k: spec[k] for k in ("dtype", "low", "high") if k in spec}
        return {"shape": shape} | kept
    flat = _flat(spec["values"])[: math.prod(shape)]
    return spec | {"values": _nested(flat, shape)}


def _shape(spec: Mapping[str, Any]) -> list[int]:
    if "shape" in spec:
        return list(spec["shape"])
    shape, values = [], spec["values"]
    while isinstance(values, list):
        shape.append(len(values))
        if not values:
            break
        values = values[0]
    return shape


def _flat(values: Any) -> list[Any]:
    if not isinstance(values, list):
        return [values]
    return [one for value in values for one in _flat(value)]


def _nested(flat: list[Any], shape: list[int]) -> Any:
    if not shape:
        return flat[0]
    step = math.prod(shape[1:])
    return [_nested(flat[n * step : (n + 1) * step], shape[1:]) for n in range(shape[0])]


def _sizes(inputs: Inputs) -> dict[int, int]:
    """Small sizes for those of all axes: equal ones stay equal, in their order."""
    found = sorted({size for spec in inputs.values() for size in _shape(spec) if size > 1})
    small = [*_SMALL, *found[len(_SMALL) :]]
    return {0: 0, 1: 1} | {size: min(size, new) for size, new in zip(found, small, strict=False)}


def _as_shape(spec: dict[str, Any], sizes: dict[int, int]) -> dict[str, Any]:
    """Small, and of whatever numbers."""
    return {"shape": [sizes[n] for n in _shape(spec)], "dtype": spec["dtype"]}


def _as_large(spec: dict[str, Any], sizes: dict[int, int]) -> dict[str, Any]:
    """As large as it is, of whatever numbers; a row of integers stays: it may be an index."""
    row = len(_shape(spec)) < 2 and spec["dtype"].startswith(("int", "uint"))
    return spec if row else {"shape": _shape(spec), "dtype": spec["dtype"]}


def _in_range(spec: dict[str, Any], sizes: dict[int, int]) -> dict[str, Any]:
    """Small, of numbers as large as they were; integers that are given stay."""
    if "values" in spec:
        flat = _flat(spec["values"])
        real = all(isinstance(v, int | float) and math.isfinite(v) for v in flat)
        if not spec["dtype"].startswith(("float", "bfloat")) or not flat or not real:
            return _cut(spec, sizes)
        ends = {"low": math.floor(min(flat)), "high": math.ceil(max(flat))}
        return _as_shape(spec, sizes) | ends
    ends = {"low": math.floor, "high": math.ceil}
    return _as_shape(spec, sizes) | {k: end(spec[k]) for k, end in ends.items() if k in spec}


def _cut(spec: dict[str, Any], sizes: dict[int, int]) -> dict[str, Any]:
    """The first few of its values, or small in shape."""
    if "values" in spec:
        return spec | {"values": _first(spec["values"])}
    return spec | {"shape": [sizes[n] for n in _shape(spec)]}


def _first(values: Any) -> Any:
    return [_first(v) for v in values[:_FEW]] if isinstance(values, list) else values


def _renamed(code: str, inputs: Inputs) -> tuple[str, dict[str, str]]:
    """The code with short names for the inputs, and these by the old ones."""
    tree = ast.parse(code)
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    taken = {node.id for node in nodes} - set(inputs)
    names: dict[str, str] = {}
    for name, spec in inputs.items():
        free = (n for n in _names(spec["dtype"]) if n not in taken and n not in names.values())
        names[name] = next(free, name)
    lines = code.split("\n")
    for node in sorted(nodes, key=lambda n: (n.lineno, n.col_offset), reverse=True):
        if node.id in names:
            line = lines[node.lineno - 1].encode()
            ends = line[: node.col_offset], line[node.end_col_offset :]
            lines[node.lineno - 1] = (ends[0] + names[node.id].encode() + ends[1]).decode()
    return "\n".join(lines), names


def _names(dtype: str) -> Iterator[str]:
    yield from _LETTERS.get(dtype, _INTEGERS)
    yield from (f"{_LETTERS.get(dtype, _INTEGERS)[0]}{number}" for number in range(1, 9))
