"""A whole model's weights: each layer's by its own record, under the names of its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msmap.weights.mapping import Rules, mapped


def carried(model: Any, rules: Callable[[str], Rules]) -> dict[str, Any]:
    """PyTorch's parameters and buffers of a model under MindSpore's names and in its shapes.

    Args:
        model: a torch.nn.Module.
        rules: the state mapping of a layer by its canonical name, such as ``torch.nn.Conv1d``;
            empty where names and shapes stay.

    Returns:
        Arrays by the names that MindSpore's ``parameters_and_names`` gives; what has no
        counterpart is left out.
    """
    kept = model.state_dict()
    found: dict[str, Any] = {}
    for path, layer in model.named_modules():
        before = f"{path}." if path else ""
        own = [
            *(name for name, _ in layer.named_parameters(recurse=False)),
            *(name for name, _ in layer.named_buffers(recurse=False)),
        ]
        values = {name: kept[before + name] for name in own if before + name in kept}
        for name, array in mapped(rules(_name(layer)), values).items():
            found[before + name] = array
    return found


def _name(layer: Any) -> str:
    """The nearest class of PyTorch's that a layer is of, by its canonical name."""
    import torch

    for kind in type(layer).__mro__:
        if getattr(torch.nn, kind.__name__, None) is kind:
            return f"torch.nn.{kind.__name__}"
    return "torch.nn.Module"
