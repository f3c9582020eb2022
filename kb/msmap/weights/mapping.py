"""A layer's parameters carried over by the state mapping of its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Rules = Sequence[dict[str, Any]]


def mapped(state: Rules, values: dict[str, Any]) -> dict[str, Any]:
    """PyTorch's parameters (or gradients) under MindSpore's names and in its shapes."""
    rules = {rule["torch"]: rule for rule in state}
    plain = {name.replace(".", "_"): _array(value) for name, value in values.items()}
    found: dict[str, Any] = {}
    for name, value in values.items():
        rule = rules.get(name, {"mindspore": name, "value": "value"})
        if rule["mindspore"] is not None:
            array = _array(value)
            found[rule["mindspore"]] = (
                array
                if rule["value"] == "value"
                else eval(rule["value"], {"np": np}, {"value": array, **plain})
            )
    return found


def _array(value: Any) -> Any:
    import torch

    if not isinstance(value, torch.Tensor):
        return value
    plain = value.detach()
    return (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy()
