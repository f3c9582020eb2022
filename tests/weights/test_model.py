"""The weights of a whole model, each layer's by the mapping of its own record."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.frameworks

CARRIED = """
import torch
from torch import nn
from msmap.weights import model

def rule(torch, mindspore, value="value"):
    return {"torch": torch, "mindspore": mindspore, "value": value}

def show(net, rules):
    found = model.carried(net, lambda name: rules.get(name, []))
    for name in sorted(found):
        print(name, *found[name].shape)
"""


def printed(code: str) -> list[str]:
    """The lines that code prints in a process of its own."""
    command = [sys.executable, "-c", dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_each_layer_is_carried_by_its_own_record_under_its_place() -> None:
    code = """
class Wide(nn.Conv1d):
    pass

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(Wide(3, 4, 2), nn.BatchNorm1d(4))
        self.scale = nn.Parameter(torch.ones(2))
        self.register_buffer("mask", torch.zeros(2))
        self.register_buffer("never_saved", torch.zeros(2), persistent=False)

show(Net(), {
    "torch.nn.Conv1d": [rule("weight", "weight", "np.expand_dims(value, 2)")],
    "torch.nn.BatchNorm1d": [
        rule("weight", "gamma"), rule("bias", "beta"), rule("running_mean", "moving_mean"),
        rule("running_var", "moving_variance"), rule("num_batches_tracked", None),
    ],
})
"""
    assert printed(CARRIED + code) == [
        "layers.0.bias 4",
        "layers.0.weight 4 3 1 2",
        "layers.1.beta 4",
        "layers.1.gamma 4",
        "layers.1.moving_mean 4",
        "layers.1.moving_variance 4",
        "mask 2",
        "scale 2",
    ]


def test_a_record_may_tell_of_the_layers_inside() -> None:
    code = """
show(nn.ModuleList([nn.Sequential(nn.LayerNorm(2)), nn.LayerNorm(3)]), {
    "torch.nn.Sequential": [rule("0.weight", "first.gamma"), rule("0.bias", None)],
    "torch.nn.LayerNorm": [rule("weight", "other")],
})
"""
    assert printed(CARRIED + code) == ["0.first.gamma 2", "1.bias 3", "1.other 3"]


def test_a_cell_gets_parameters_and_buffers_by_their_names() -> None:
    code = """
import mindspore
import numpy as np
from msmap.weights import mapping

cell = mindspore.nn.Dense(2, 1)
cell.register_buffer("mask", mindspore.Tensor([0.0, 0.0]))
mapping.put(cell, {"weight": np.array([[1.0, 2.0]]), "mask": np.array([3.0, 4.0])})
print(cell.weight.asnumpy().tolist(), cell.mask.asnumpy().tolist())
for wrong in ({"gamma": np.ones(1)}, {"bias": np.ones(2)}):
    try:
        mapping.put(cell, wrong)
    except ValueError as error:
        print(error)
"""
    assert printed(code) == [
        "[[1.0, 2.0]] [3.0, 4.0]",
        "no parameter gamma in MindSpore (has weight, bias, mask)",
        "bias has shapes (2,) and (1,)",
    ]
