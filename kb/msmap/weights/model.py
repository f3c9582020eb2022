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
    found: dict[str, Any] = {}
    told: set[str] = set()
    for path, layer in model.named_modules():
        its, before = rules(_name(layer)), f"{path}." if path else ""
        # A record may tell of the layers inside too.
        inner = {rule["torch"] for rule in its if "." in rule["torch"]}
        values = {
            name: value
            for name, value in layer.state_dict().items()
            if hasattr(value, "detach")
            and (name in inner or "." not in name)
            and before + name not in told
        }
        told.update(before + name for name in inner)
        found |= {before + name: array for name, array in mapped(its, values).items()}
    return found


def _name(layer: Any) -> str:
    """The nearest class of PyTorch's that a layer is of, by its canonical name."""
    import torch

    for kind in type(layer).__mro__:
        if getattr(torch.nn, kind.__name__, None) is kind:
            return f"torch.nn.{kind.__name__}"
    return "torch.nn.Module"
