"""A check, or one of its variants, as a script that runs it again: to read, change and send on."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import replace
from typing import Any

from msmap.verify.plan.job import Job
from msmap.verify.trial import training

_HEAD = """\
import numpy as np
import torch, mindspore
from numpy import inf, nan
from msmap.verify.trial import {modules}
nn, F, ms = torch.nn, torch.nn.functional, mindspore"""
_BLOCKING = "mindspore.runtime.launch_blocking()"
_FLOATS = ("float16", "bfloat16", "float64")


def script(job: Job, variant: str = "") -> str:
    """Python source that runs both sides from the same inputs and prints what each gives.

    A layer gets the weights and runs in the modes of the check. Where agreement is expected, the
    last line says what the check itself finds, gradients and state included.
    """
    layered = _layered(job) and not job.ranks
    alike = job.expect == "same"
    problem = any(training.names(ast.parse(code)) for code in (job.torch, job.mindspore))
    modules = {
        "inputs": True, "ranks": bool(job.ranks), "state": layered, "training": problem,
        "trial": True,
    }  # fmt: skip
    parts = [f"# {job.owner}: {job.check}{variant and '/' + variant}"]
    if job.graph and not problem:
        parts.append("# Run it as a file: mindspore.jit compiles nothing that comes from a pipe.")
    parts.append(_HEAD.format(modules=", ".join(name for name, used in modules.items() if used)))
    parts += [] if job.ranks else [_BLOCKING]
    parts += [f"{name}_ = inputs.array({name!r}, {s!r})" for name, s in job.inputs.items()]
    if layered:
        parts += _layers(job)
    else:
        sides = ("torch", "mindspore")
        # What PyTorch raises ends the script.
        for framework in reversed(sides) if job.expect == "torch-raises" else sides:
            parts += _side(job, framework, problem, variant == "in-place")
    if alike:
        parts += _verdict(job)
    return "\n".join(parts) + "\n"


def _layered(job: Job) -> bool:
    """Whether both sides call a layer made in place, whose state a check carries over."""
    name, other = _maker(job.torch).removeprefix("torch."), _maker(job.mindspore)
    layer = name.startswith("nn.") and not name.startswith("nn.functional.")
    return job.expect == "same" and layer and other != ""


def _maker(code: str) -> str:
    """What makes the callee of the last expression, such as ``nn.Linear``; "" if nothing does."""
    last = getattr(ast.parse(code).body[-1], "value", None)
    made = isinstance(last, ast.Call) and isinstance(last.func, ast.Call)
    return ast.unparse(last.func.func) if made else ""  # type: ignore[union-attr]


def _split(code: str) -> tuple[list[str], str]:
    """The statements of a check's code, and the expression at its end."""
    lines = code.splitlines()
    last = ast.parse(code).body[-1].lineno - 1
    return lines[:last], "\n".join(lines[last:])


def _tensors(job: Job, framework: str) -> list[str]:
    make = {"torch": "torch.tensor", "mindspore": "mindspore.Tensor"}[framework]
    return [f"{name} = {_tensor(name, make, framework, s)}" for name, s in job.inputs.items()]


def _tensor(name: str, make: str, framework: str, spec: dict[str, Any]) -> str:
    text = f"{make}({name}_)"
    if spec.get("edge") == "non-contiguous":
        text = f"{make}({name}_.T.copy()).permute(*reversed(range({name}_.ndim)))"
    return text + (f".to({framework}.bfloat16)" if spec["dtype"] == "bfloat16" else "")


def _side(job: Job, framework: str, problem: bool, inputs: bool) -> list[str]:
    """One side of a check whose layers, if it has any, stay as they are made."""
    statements, result = _split(job.torch if framework == "torch" else job.mindspore)
    lines = ["", "trial.seed()", *_tensors(job, framework)]
    if job.ranks:
        rank = textwrap.indent("\n".join([*statements, f"return {result}"]), "    ")
        lines += ["", "", f"def {framework}_rank():", rank, "", ""]
        statements, result = [], f"ranks.{framework}({job.ranks}, {framework}_rank)"
    if problem:
        compiled = ", graph=True" if job.graph and framework == "mindspore" else ""
        lines.append(f"net, optimizer = training.{framework}_problem().values()")
        result = f"training.{framework}_steps({result}{compiled})"
    if job.graph and framework == "mindspore" and not problem:
        *body, last = map(ast.unparse, ast.parse(job.mindspore).body)
        lines += _compiled(job, body, last)
        result = f"graph({', '.join(job.inputs)})"
    else:
        lines += statements
    lines.append(f'print("{framework}:", {result})')
    return lines + [f'print("{framework}, {name}:", {name})' for name in job.inputs if inputs]


def _compiled(job: Job, statements: list[str], result: str) -> list[str]:
    body = textwrap.indent("\n".join([*statements, f"return {result}"]), "    ")
    return ["", "", "@mindspore.jit", f"def graph({', '.join(job.inputs)}):", body, "", ""]


def _layers(job: Job) -> list[str]:
    """Both sides of a check of a layer: made, given the same state, and run in each mode."""
    made, runs = [], []
    for framework, name, code in (
        ("torch", "layer", job.torch), ("mindspore", "cell", job.mindspore)
    ):  # fmt: skip
        statements, result = _split(code)
        last = ast.parse(result, mode="eval").body
        assert isinstance(last, ast.Call)
        before = ["trial.seed()", *_tensors(job, framework), *statements]
        made += ["", *before, f"{name} = {ast.unparse(last.func)}", *_cast(job, name)]
        call = ast.unparse(ast.Call(ast.Name(name), last.args, last.keywords))
        if job.graph and framework == "mindspore":
            made += _compiled(job, [], call)
            call = f"graph({', '.join(job.inputs)})"
        runs += [*before, f'print("{framework}:", {call})']
    modes = [mode == "train" for mode in job.modes or ("train", "eval")]
    if job.graph:
        modes = modes[:1]
    loop = ["layer.train(mode)", "cell.set_train(mode)", *runs]
    return [
        *made,
        f"state.copy({list(job.state)!r}, layer, cell)",
        f"for mode in {modes!r}:  # training?",
        textwrap.indent("\n".join(loop), "    "),
    ]


def _cast(job: Job, name: str) -> list[str]:
    """A variant holds a layer's parameters in the dtype of its inputs."""
    found = {s["dtype"] for s in job.inputs.values() if "float" in s["dtype"]}
    if not job.derived or len(found) != 1 or not found <= set(_FLOATS):
        return []
    (dtype,) = found
    if name == "layer":
        return [f"layer.to(torch.{dtype})"]
    return [
        "if any(held.is_floating_point() for held in layer.state_dict().values()):",
        "    for parameter in cell.get_parameters():",
        f"        parameter.set_dtype(mindspore.{dtype})",
    ]


def _verdict(job: Job) -> list[str]:
    text = replace(job, variants=()).dumps()
    return [
        "",
        "# What the check finds, in results, gradients and state; nothing is agreement.",
        "from msmap.verify.plan.job import Job",
        f"done = trial.run(Job.loads({text!r}))",
        'print("differences:", done.found.differences, done.error)',
    ]
