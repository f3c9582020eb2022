"""The tensors of a file given to models that are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msmap.weights import layers
from msmap.weights.mapping import put
from msmap.weights.tensors import Held, to_float


def load_torch(net: Any, tensors: Mapping[str, Held]) -> None:
    """Give a model of PyTorch's the tensors that it has, by its names."""
    import numpy as np
    import torch

    known = net.state_dict()
    for name, tensor in tensors.items():
        if name in known:
            value = torch.from_numpy(np.array(to_float(tensor)))
            known[name].copy_(value.reshape(known[name].shape))


def load_mindspore(cell: Any, tensors: Mapping[str, Held]) -> None:
    """Give a network of MindSpore's the tensors that it has, by their names in files."""
    slots = {slot.name: slot.path for slot in layers.cells(cell).slots.values()}
    found = {slots[name]: to_float(one) for name, one in tensors.items() if name in slots}
    put(cell, found)
