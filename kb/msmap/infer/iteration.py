"""What iterating over a value gives."""

from __future__ import annotations

from msmap.infer.values.lattice import (
    DOUBLES,
    OTHERS,
    PLAIN,
    TENSOR,
    UNKNOWN,
    Instance,
    Items,
    Keyed,
    Mapped,
    Value,
    held,
    instance,
)


def iterated(value: Value) -> Value:
    """What iterating over something gives."""
    if isinstance(value, Items):
        return value.element
    if isinstance(value, Keyed | Mapped):
        return PLAIN if isinstance(value, Keyed) else value.key
    if isinstance(value, Instance):
        if value.owner == "tensor":
            return DOUBLES if value.holds == DOUBLES.holds else TENSOR
        if value.owner == "loader":
            return value.gives or UNKNOWN
        if value.owner == "size":
            return PLAIN
        if value.name == "torch.nn.ModuleList":
            return held(value)
        if value.name == "torch.nn.Sequential":
            return instance("module")
        return TENSOR if value.name == "torch.nn.ParameterList" else UNKNOWN
    return value if value in OTHERS else UNKNOWN
