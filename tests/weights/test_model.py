"""The weights of a whole model, each layer's by the mapping of its own record."""

from __future__ import annotations

import numpy as np
import pytest

from msmap.weights import mapping, model

pytestmark = pytest.mark.frameworks

RULES = {
    "torch.nn.Conv1d": [
        {"torch": "weight", "mindspore": "weight", "value": "np.expand_dims(value, 2)"}
    ],
    "torch.nn.BatchNorm1d": [
        {"torch": "weight", "mindspore": "gamma", "value": "value"},
        {"torch": "bias", "mindspore": "beta", "value": "value"},
        {"torch": "running_mean", "mindspore": "moving_mean", "value": "value"},
        {"torch": "running_var", "mindspore": "moving_variance", "value": "value"},
        {"torch": "num_batches_tracked", "mindspore": None, "value": "value"},
    ],
}


def test_each_layer_is_carried_by_its_own_record_under_its_place() -> None:
    import torch

    class Wide(torch.nn.Conv1d):
        """A class over one of PyTorch's is carried like it."""

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = torch.nn.Sequential(Wide(3, 4, 2), torch.nn.BatchNorm1d(4))
            self.scale = torch.nn.Parameter(torch.ones(2))
            self.register_buffer("mask", torch.zeros(2))
            self.register_buffer("never_saved", torch.zeros(2), persistent=False)

    found = model.carried(Net(), lambda name: RULES.get(name, []))
    assert {name: array.shape for name, array in found.items()} == {
        "scale": (2,),
        "mask": (2,),
        "layers.0.weight": (4, 3, 1, 2),
        "layers.0.bias": (4,),
        "layers.1.gamma": (4,),
        "layers.1.beta": (4,),
        "layers.1.moving_mean": (4,),
        "layers.1.moving_variance": (4,),
    }


def test_a_cell_gets_parameters_and_buffers_by_their_names() -> None:
    import mindspore

    cell = mindspore.nn.Dense(2, 1)
    cell.register_buffer("mask", mindspore.Tensor([0.0, 0.0]))
    mapping.put(cell, {"weight": np.array([[1.0, 2.0]]), "mask": np.array([3.0, 4.0])})
    assert cell.weight.asnumpy().tolist() == [[1, 2]]
    assert cell.mask.asnumpy().tolist() == [3, 4]
    with pytest.raises(
        ValueError, match=r"no parameter gamma in MindSpore \(has weight, bias, mask"
    ):
        mapping.put(cell, {"gamma": np.ones(1)})
    with pytest.raises(ValueError, match=r"bias has shapes \(2,\) and \(1,\)"):
        mapping.put(cell, {"bias": np.ones(2)})
