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


@pytest.mark.parametrize("name", ["none", "tied", "state of zeros"])
def test_a_port_without_fault_agrees(name: str, found: dict[str, Any]) -> None:
    assert found[name] == {"verdict": "agrees", "findings": [], "texts": []}


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


@pytest.mark.parametrize("name", FIRST)
def test_a_fault_is_found_and_explained(name: str, found: dict[str, Any]) -> None:
    stage, layer, causes = found[name]["findings"][0]
    assert found[name]["verdict"] == "differs"
    assert [stage, layer, causes[0]] == FIRST[name]


def test_what_no_caveat_explains_is_said(found: dict[str, Any]) -> None:
    assert found["state of ones"]["findings"] == [["forward", "lstm", []]]
