"""Arrays given to a cell by the names of its parameters and buffers."""

from __future__ import annotations

import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.frameworks


def printed(code: str) -> list[str]:
    """The lines that code prints in a process of its own."""
    command = [sys.executable, "-c", dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_cell_gets_parameters_and_buffers_by_their_names() -> None:
    code = """
import mindspore
import numpy as np
from msmap.weights import mapping

cell = mindspore.nn.Dense(2, 1)
cell.register_buffer("mask", mindspore.Tensor([0.0, 0.0]))
cell.register_buffer("steps", mindspore.Tensor(0))
mapping.put(cell, {
    "weight": np.array([[1.0, 2.0]]), "mask": np.array([3.0, 4.0]), "steps": np.array(5),
})
print(cell.weight.asnumpy().tolist(), cell.mask.asnumpy().tolist(), cell.steps.asnumpy())
for wrong in ({"gamma": np.ones(1)}, {"bias": np.ones(2)}):
    try:
        mapping.put(cell, wrong)
    except ValueError as error:
        print(error)
"""
    assert printed(code) == [
        "[[1.0, 2.0]] [3.0, 4.0] 5",
        "no parameter gamma in MindSpore (has weight, bias, mask, steps)",
        "bias has shapes (2,) and (1,)",
    ]
