"""A check as a script to paste into a shell and rerun."""

from __future__ import annotations

import ast

from msmap.verify.job import Job

_HEAD = """\
import numpy as np
import torch, mindspore
from msmap.verify.inputs import array
from numpy import inf, nan
nn, F, ms = torch.nn, torch.nn.functional, mindspore
mindspore.runtime.launch_blocking()"""


def script(job: Job) -> str:
    """Python source that runs both sides from the same inputs and prints what each gives.

    A layer keeps its own weights here: a check copies them across before it compares.
    """
    parts = [f"# {job.owner}: {job.check}", _HEAD]
    parts += [f"{name}_ = array({name!r}, {spec!r})" for name, spec in job.inputs.items()]
    for framework, code in (("torch", job.torch), ("mindspore", job.mindspore)):
        make = "torch.tensor" if framework == "torch" else "mindspore.Tensor"
        parts.append("")
        for name, spec in job.inputs.items():
            cast = f".to({framework}.bfloat16)" if spec["dtype"] == "bfloat16" else ""
            parts.append(f"{name} = {make}({name}_){cast}")
        lines = code.splitlines()
        last = ast.parse(code).body[-1].lineno - 1
        result = "\n".join(lines[last:])
        parts += [*lines[:last], f'print("{framework}:", {result})']
    return "\n".join(parts) + "\n"
