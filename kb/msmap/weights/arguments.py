"""What a layer was made with: its counterpart, and so the names in it, may depend on that."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Made:
    """The arguments with which a layer is made, as source text."""

    positional: tuple[str, ...] = ()
    keywords: tuple[tuple[str, str], ...] = ()


# What a layer keeps of a number for all of its dimensions.
_SIZES = ("kernel_size", "stride", "padding", "dilation", "output_padding")
_PLAIN = (bool, int, float, str, type(None))


def kept(attributes: Mapping[str, Any]) -> Made:
    """What a layer keeps of its arguments, which is under their names, and more.

    ``attributes`` are those of the object; ``bias`` is there where a parameter of the name is.
    """
    found: dict[str, str] = {}
    for name, value in attributes.items():
        if type(value) in _PLAIN or _is_plain(value):
            same = name in _SIZES and isinstance(value, tuple) and len(set(value)) == 1
            found[name] = repr(value[0] if same else value)
    parameters = attributes.get("_parameters")
    if isinstance(parameters, Mapping) and "bias" in parameters:
        found["bias"] = repr(parameters["bias"] is not None)
    return Made((), tuple(found.items()))


def _is_plain(value: Any) -> bool:
    return type(value) in (tuple, list) and all(type(one) in _PLAIN for one in value)


# All that the constructor of one of PyTorch's layers sets, whose parameters or their shapes differ
# in MindSpore's.
_SETS: tuple[Set[str], ...] = (
    {"num_embeddings", "embedding_dim", "padding_idx", "max_norm", "norm_type", "sparse"},
    {"normalized_shape", "eps", "elementwise_affine"},
    {"num_groups", "num_channels", "eps", "affine"},
    {"num_features", "eps", "momentum", "affine", "track_running_stats"},
    {"in_channels", "out_channels", "kernel_size", "transposed", "output_padding", "padding_mode"},
    {"num_parameters", "init"},
    {"norm_first", "activation_relu_or_gelu"},
)


def may_be_layer(attributes: Mapping[str, Any]) -> bool:
    """Whether an object of an own class may be one of PyTorch's layers, by what it keeps."""
    return any(its <= attributes.keys() for its in _SETS)
