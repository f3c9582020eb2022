"""A check as a script to paste into a shell and run without msmap."""

from __future__ import annotations

from msmap.verify.job import Job

_HEAD = """\
import numpy as np
import torch, mindspore
nn, F, ms = torch.nn, torch.nn.functional, mindspore
mindspore.runtime.launch_blocking()
"""


def script(job: Job) -> str:
    """Python source that runs both sides from the same inputs and prints what each gives."""
    parts = [f"# {job.owner}: {job.check}", _HEAD.rstrip()]
    parts += [f"{name}_ = {_array(name, spec)}" for name, spec in job.inputs.items()]
    for framework, code in (("torch", job.torch), ("mindspore", job.mindspore)):
        make = "torch.tensor" if framework == "torch" else "mindspore.Tensor"
        cast = {
            name: f".to({framework}.bfloat16)" if spec["dtype"] == "bfloat16" else ""
            for name, spec in job.inputs.items()
        }
        parts.append("")
        parts += [f"{name} = {make}({name}_){cast[name]}" for name in job.inputs]
        *body, last = code.split("\n") if "\n" in code else [code]
        parts += [*body, f'print("{framework}:", {last.strip()})']
    return "\n".join(parts) + "\n"


def _array(name: str, spec: dict[str, object]) -> str:
    dtype = "float32" if spec["dtype"] == "bfloat16" else spec["dtype"]
    if "values" in spec:
        return f"np.array({spec['values']!r}, dtype={dtype!r})".replace("nan", "np.nan")
    return f"__import__('msmap.verify.job').verify.job.array({name!r}, {spec!r})"
