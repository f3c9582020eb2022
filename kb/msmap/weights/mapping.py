"""A layer's parameters carried over by the state mapping of its record, and given to a cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from msmap.weights.expressions import evaluate

Rules = Sequence[dict[str, Any]]


def mapped(state: Rules, values: dict[str, Any]) -> dict[str, Any]:
    """PyTorch's parameters (or gradients) under MindSpore's names and in its shapes."""
    rules = {rule["torch"]: rule for rule in state}
    found: dict[str, Any] = {}
    for name, value in values.items():
        rule = rules.get(name, {"mindspore": name, "value": "value"})
        if rule["mindspore"] is not None:
            found[rule["mindspore"]] = evaluate(rule["value"], _array(value))
    return found


def put(cell: Any, arrays: dict[str, Any]) -> None:
    """Give MindSpore's cell parameters and buffers by their names.

    Raises:
        ValueError: a name or a shape doesn't fit.
    """
    import mindspore

    parameters = dict(cell.parameters_and_names()) | dict(cell.named_buffers())
    for name, array in arrays.items():
        if name not in parameters:
            known = ", ".join(parameters) or "none"
            raise ValueError(f"no parameter {name} in MindSpore (has {known})")
        if tuple(array.shape) != tuple(parameters[name].shape):
            shapes = f"{tuple(array.shape)} and {tuple(parameters[name].shape)}"
            raise ValueError(f"{name} has shapes {shapes}")
        # A number becomes a row of one by this, and must not.
        made = mindspore.Tensor(np.ascontiguousarray(array).reshape(np.shape(array)))
        _set(parameters[name], made.astype(parameters[name].dtype))


def _set(parameter: Any, value: Any) -> None:
    (parameter.set_data if hasattr(parameter, "set_data") else parameter.copy_)(value)


def _array(value: Any) -> Any:
    if not hasattr(value, "detach"):
        return value
    import torch

    plain = value.detach()
    return (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy()
