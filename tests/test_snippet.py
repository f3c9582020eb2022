"""A failed check as a script: what `msmap verify` prints to paste and rerun."""

from __future__ import annotations

import subprocess
import sys

import pytest

from msmap.verify import snippet
from msmap.verify.job import Job

JOB = Job(
    owner="torch.add", check="case", hash="0",
    torch="y = x + 1\n(y +\n 1)", mindspore="x + 2",
    inputs={"x": {"values": [1.0, float("nan")], "dtype": "float32"}},
    expect="same", gives={}, gradient=True, modes=(), rtol=None, atol=None, raises=None, state=(),
)  # fmt: skip

SCRIPT = """\
# torch.add: case
import numpy as np
import torch, mindspore
from msmap.verify.inputs import array
from numpy import inf, nan
nn, F, ms = torch.nn, torch.nn.functional, mindspore
mindspore.runtime.launch_blocking()
x_ = array('x', {'values': [1.0, nan], 'dtype': 'float32'})

x = torch.tensor(x_)
y = x + 1
print("torch:", (y +
 1))

x = mindspore.Tensor(x_)
print("mindspore:", x + 2)
"""


def test_a_script_makes_the_inputs_and_prints_both_results() -> None:
    assert snippet.script(JOB) == SCRIPT


@pytest.mark.frameworks
def test_the_script_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert done.stdout == "torch: tensor([3., nan])\nmindspore: [ 3. nan]\n"
