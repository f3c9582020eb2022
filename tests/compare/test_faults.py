"""A port with one fault: it is found at its layer, and explained by the caveat that is about it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.frameworks


@pytest.fixture(scope="module")
def found(shipped: Path) -> dict[str, Any]:
    """What is found of each fault, in one process."""
    command = [sys.executable, "-m", "tests.builders.comparing", str(shipped)]
    quiet = os.environ | {"GLOG_v": "3"}
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=600, check=False, env=quiet
    )
    assert done.returncode == 0, done.stderr[-3000:]
    made: dict[str, Any] = json.loads(done.stdout)
    return made


@pytest.mark.parametrize(
    "name",
    [
        "none",
        "tied",
        "state of zeros",
        "no function",
        "table of a function",
        "parameter of a function",
    ],
)
def test_a_port_without_fault_agrees(name: str, found: dict[str, Any]) -> None:
    assert (found[name]["verdict"], found[name]["texts"]) == ("agrees", [])


@pytest.mark.parametrize("name", ["compiled", "graph mode"])
def test_what_would_be_compiled_is_recorded_uncompiled(name: str, found: dict[str, Any]) -> None:
    assert found[name] == found["none"]
    assert found[name]["calls"] > 20


# Where the first difference is found, and the caveats that explain it, the first first.
FIRST = {
    "keep rate": ["arguments", "drop", "torch.nn.Dropout: positional-rate-is-kept"],
    "momentum": ["buffers", "bn", "torch.nn.BatchNorm2d: momentum-is-the-complement"],
    "epsilon": ["forward", "ln", "torch.nn.LayerNorm: smaller-epsilon"],
    "pad mode": ["forward", "conv", "torch.nn.Conv2d: pads-by-default"],
    "stride": ["forward", "pool", "torch.nn.MaxPool2d: stride-of-one"],
    "bias": ["forward", "conv", "torch.nn.Conv2d: no-bias-by-default"],
    "slope": ["forward", "act", "torch.nn.LeakyReLU: steeper-by-default"],
    "formula": ["forward", "gelu", "torch.nn.GELU: tanh-by-default"],
    "transposed": ["state", "square", "guide:checkpoints-across-frameworks: order-and-shape"],
    "mode": ["mode", "bn", "torch.nn.BatchNorm2d: starts-in-evaluation"],
    "reduction": ["forward", "(CrossEntropyLoss)", "torch.nn.CrossEntropyLoss: twin-has-no-mean"],
    "buffer": ["state", "bn", "torch.nn.BatchNorm2d: other-names-in-checkpoints"],
    "untied": ["state", "out", "guide:parameters: tied"],
}


# At which function, with which arguments named, and explained by what.
CALLS = {
    "call of gelu": ("torch.nn.functional.gelu", ["approximate='tanh', not 'none'"],
                     ["torch.nn.GELU: tanh-by-default"]),
    "call of dropout": ("torch.nn.functional.dropout", ["p=0.9, not 0.1"],
                        ["torch.nn.Dropout: positional-rate-is-kept"]),
    "call of dropout in evaluation": (
        "torch.nn.functional.dropout", ["training=True, not False"], [],
    ),
    "call of softmax": (
        "torch.nn.functional.softmax", ["axis=-1, not 1"],
        ["torch.nn.functional.softmax: axis-is-last-by-default"],
    ),
    # An operation that is made first, and called then.
    "call of layer_norm": ("torch.nn.functional.layer_norm", ["epsilon=0.001, not 1e-05"],
                           ["torch.nn.LayerNorm: smaller-epsilon"]),
    "call of leaky_relu": (
        "torch.nn.functional.leaky_relu", ["alpha=0.2, not 0.01"],
        ["torch.nn.functional.leaky_relu: steeper-by-default"],
    ),
    # Its caveat is of `correction`, which becomes the same argument as `unbiased`.
    "call of std": ("torch.std", ["ddof=0, not 1"], ["torch.std: divides-by-n"]),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_fault_between_layers_is_found_at_its_function(name: str, found: dict[str, Any]) -> None:
    first = found[name]["findings"][0]
    assert (found[name]["verdict"], len(found[name]["findings"])) == ("differs", 1)
    assert (found[name]["whats"][0], found[name]["arguments"][0], first[2]) == CALLS[name]


@pytest.mark.parametrize("name", FIRST)
def test_a_fault_is_found_and_explained(name: str, found: dict[str, Any]) -> None:
    stage, layer, causes = found[name]["findings"][0]
    assert found[name]["verdict"] == "differs"
    assert [stage, layer, causes[0]] == FIRST[name]


@pytest.mark.parametrize("name", FIRST)
def test_statistics_alone_tell_where(name: str, found: dict[str, Any]) -> None:
    """All but that values are another's transposed: that takes the values."""
    if f"{name}, statistics" in found:
        stage, layer, _ = found[f"{name}, statistics"]["findings"][0]
        assert [stage, layer] == FIRST[name][:2]


def test_statistics_of_a_port_without_fault_agree(found: dict[str, Any]) -> None:
    assert found["none, statistics"] == found["none"]


def test_what_no_caveat_explains_is_said(found: dict[str, Any]) -> None:
    assert found["state of ones"]["findings"] == [["forward", "lstm", []]]


# Where it is found, the first first.
OTHER = {
    "table of another function": [["layers", "bag"]],
    "parameter of another function": [["forward", "head"], ["layers", "bag"]],
}


@pytest.mark.parametrize("name", OTHER)
def test_a_layer_in_whose_place_functions_give_something_else_is_told(
    name: str, found: dict[str, Any]
) -> None:
    assert [one[:2] for one in found[name]["findings"]] == OTHER[name]
