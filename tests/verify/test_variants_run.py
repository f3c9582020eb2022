"""Variants of checks, from a job to findings, each check in a child of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.builders import checks
from tests.builders.checks import X

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.verify.executors.local import Local
from msmap.verify.plan.job import Job
from msmap.verify.plan.variants import Variant, plain

pytest.importorskip("numpy")

pytestmark = pytest.mark.frameworks


def job(torch: str, mindspore: str, *made: Variant, **changes: Any) -> Job:
    """A check of these two sides, with variants."""
    variants = tuple(map(plain, made))
    return checks.job(torch=torch, mindspore=mindspore, variants=variants, **changes)


def calls(*made: Variant, **changes: Any) -> Job:
    """A check of ``abs`` with variants."""
    return job("torch.abs(x)", "mindspore.ops.abs(x)", *made, **changes)


def layer(*made: Variant) -> Job:
    """A check of a layer with variants."""
    return job("torch.nn.Linear(3, 4)(x)", "mindspore.nn.Dense(3, 4)(x)", *made)


def inputs(name: str, **changes: Any) -> Variant:
    """The check with its input made otherwise."""
    gradient = name not in ("nonfinite", "overflow")
    return Variant(name, inputs={"x": X | changes}, gradient=gradient)


GRAPH = Variant("graph", graph=True)
EXACT = Finding("agrees")
# A layer without a gradient: what raises in it may spoil later gradients of the same process.
NO_GRADIENT = """\
class Abs(mindspore.nn.Cell):
    def construct(self, x):
        return mindspore.ops.abs(x)
    def bprop(self, x, out, dout):
        raise ValueError("no gradient")
Abs()(x)"""

# An error that MindSpore keeps: the next call raises the same one, in this process.
KEEPS = "import os\nos.environ['KEPT'] = '1'\nraise RuntimeError('nothing to add')\nx"
KEPT = """\
import os
if 'KEPT' in os.environ:
    raise RuntimeError('nothing to add')
mindspore.ops.abs(x)"""

# name -> (the check, its outcome, what came out of its variants)
CASES: dict[str, tuple[Job, str, dict[str, Finding]]] = {
    "other forms of the call": (
        calls(
            Variant("positional", "torch.abs(x)", "mindspore.ops.abs(x)"),
            Variant("keyword", "torch.abs(input=x)", "mindspore.ops.abs(x) + 1"),
            Variant("shuffled", "torch.abs(x)", "mindspore.ops.nothing(x)"),
            Variant("defaults", "torch.abs()", "mindspore.ops.abs(x)"),
        ),
        "verified",
        {
            "positional": EXACT,
            "keyword": Finding(
                "differs",
                message="6 of 6 values, by about 1",
                torch_gave="[[0.907, 0.428, 1.08], [0.941, 1.16, 1.43]]",
                mindspore_gave="[[1.91, 1.43, 2.08], [1.94, 2.16, 2.43]]",
            ),
            "shuffled": Finding(
                "raises",
                message="AttributeError: module 'mindspore.ops' has no attribute 'nothing'",
            ),
            "defaults": Finding(
                "refused",
                message='TypeError: abs() missing 1 required positional arguments: "input"',
            ),
        },
    ),
    "no variant of a check that fails": (
        job("torch.abs(x)", "mindspore.ops.abs(x) + 1", GRAPH),
        "refuted",
        {},
    ),
    "other inputs": (
        calls(
            *(inputs(name, dtype=name) for name in ("float16", "float64", "int32", "int64")),
            *(
                inputs(name, edge=name)
                for name in ("zero-d", "empty", "size-1", "non-contiguous", "zeros", "nonfinite")
            ),
            inputs("overflow", edge="overflow", dtype="int32"),
        ),
        "verified",
        dict.fromkeys(
            (
                "float16", "float64", "int32", "int64", "zero-d", "empty", "size-1",
                "non-contiguous", "zeros", "nonfinite", "overflow",
            ),
            EXACT,
        ),
    ),
    "inputs that tell sides apart": (
        job(
            "torch.abs(x) * 1",
            "mindspore.ops.abs(x) * (2 if x.ndim == 0 else 1) + (x.size == 0)",
            inputs("zero-d", edge="zero-d"),
            inputs("empty", edge="empty"),
            inputs("zeros", edge="zeros"),
        ),
        "verified",
        {
            "zero-d": Finding(
                "differs",
                message="1 of 1 values, by about 1",
                torch_gave="0.907",
                mindspore_gave="1.81",
            ),
            "empty": EXACT,
            "zeros": EXACT,
        },
    ),
    "nan where PyTorch has none": (
        job(
            "torch.relu(x)",
            "mindspore.ops.relu(x) + (x - x) * 0",
            inputs("nonfinite", edge="nonfinite"),
        ),
        "verified",
        {
            "nonfinite": Finding(
                "differs",
                message="2 of 6 values, 2 of them nan or inf on one side",
                torch_gave="[[nan, inf, 0.0], [0.0, 0.0, 1.43]]",
                mindspore_gave="[[nan, nan, 0.0], [nan, 0.0, 1.43]]",
            )
        },
    ),
    "a dtype without a kernel": (
        calls(inputs("bfloat16", dtype="bfloat16")),
        "verified",
        {
            "bfloat16": Finding(
                "no_kernel",
                message="TypeError: Select CPU operator[Abs] fail! Unsupported data type!",
            )
        },
    ),
    "a dtype that comes back as another": (
        job("x * 2", "(x * 2).float()", inputs("float16", dtype="float16")),
        "verified",
        {
            "float16": Finding(
                "differs",
                message="dtype float16 and float32",
                torch_gave="float16[2, 3]",
                mindspore_gave="[[-1.81, -0.857, -2.16], [1.88, 2.33, 2.85]]",
            )
        },
    ),
    "a layer, whose parameters take the dtype of the input": (
        layer(
            inputs("float16", dtype="float16"),
            inputs("float64", dtype="float64"),
            inputs("int32", dtype="int32"),
        ),
        "verified",
        {
            "float16": Finding("agrees"),
            "float64": EXACT,
            "int32": Finding(
                "refused",
                message="RuntimeError: mat1 and mat2 must have the same dtype, but got Int and"
                " Float",
            ),
        },
    ),
    "gradients of what is drawn at random, alike once by chance": (
        job(
            "x * 1", "x * 1",
            Variant(
                "positional", "x * (torch.rand((), dtype=torch.float32) > 0.5)",
                "mindspore.ops.stop_gradient(x)",
            ),
        ),
        "verified",
        {"positional": Finding("agrees")},
    ),
    "other gradients where nothing is drawn": (
        job(
            "x * 1", "x * 1",
            Variant("positional", "x * 1", "mindspore.ops.stop_gradient(x)"),
        ),
        "verified",
        {
            "positional": Finding(
                "differs",
                message="gradient: 6 of 6 values at ['x'], by about 1",
                torch_gave="[[-0.9074, -0.4284, -1.078], [0.9412, 1.165, 1.426]]",
                mindspore_gave="[[-0.9074, -0.4284, -1.078], [0.9412, 1.165, 1.426]]",
            )
        },
    ),
    "graph mode": (
        job("y = x + 1\ny * x", "y = x + 1\ny * x", GRAPH), "verified", {"graph": EXACT},
    ),
    "graph mode of a layer": (
        layer(GRAPH), "verified", {"graph": Finding("agrees")},
    ),
    "an effect on the input that a view sees": (
        job("x[0] = 5\nx + 0", "x[0] = 5\nx + 0", GRAPH, gradient=False),
        "verified",
        {"in-place": EXACT, "graph": EXACT},
    ),
    "an effect on the input that MindSpore lacks": (
        job(
            "x[0] = 5\nx + 0", "y = x.copy()\ny[0] = 5\ny + 0", GRAPH, gradient=False,
            inputs={"x": X | {"low": 0.0, "high": 0.0}},
        ),
        "verified",
        {
            "in-place": Finding(
                "differs",
                message="x: 3 of 6 values, by about 10;"
                " a view of x: 3 of 6 values, by about 10",
            ),
            "graph": EXACT,
        },
    ),
    "an effect that a view doesn't see, and that can't be compiled": (
        job(
            "x[:] = x + 1\nx + 0", "x.assign_value((x + 1).copy())\nx + 0", GRAPH,
            gradient=False,
        ),
        "verified",
        {
            "in-place": Finding(
                "differs",
                message="a view of x: 6 of 6 values, by about 1",
            ),
            "graph": Finding(
                "raises",
                message="RuntimeError: Failed to compile in GRAPH_MODE because the 'Tensor'"
                " object's method 'assign_value' is not supported in 'construct' or function with"
                " @jit decorator. Try to use the 'Tensor.assign_value' ",
            ),
        },
    ),
    "no effect on the input": (calls(GRAPH), "verified", {"graph": EXACT}),
    "a gradient that raises spoils none after it": (
        calls(
            Variant("keyword", "torch.abs(x)", NO_GRADIENT),
            GRAPH,
            inputs("zeros", edge="zeros"),
        ),
        "verified",
        {
            "keyword": Finding(
                "raises", message="MindSpore's gradient raised ValueError: no gradient"
            ),
            "graph": EXACT,
            "zeros": EXACT,
        },
    ),
    "an error that MindSpore keeps is none of the next": (
        calls(
            Variant("keyword", "torch.abs(x)", KEEPS),
            Variant("positional", "torch.abs(x)", KEPT),
            Variant("shuffled", "torch.abs(x)", KEEPS),
        ),
        "verified",
        {
            "keyword": Finding("raises", message="RuntimeError: nothing to add"),
            "positional": EXACT,
            "shuffled": Finding("raises", message="RuntimeError: nothing to add"),
        },
    ),
    "an effect on the input where the gradient has no kernel": (
        job(
            "x[0] = 5\ntorch.abs(x)",
            "x[0] = 5\n" + NO_GRADIENT.replace(
                'ValueError("no gradient")', 'RuntimeError("The kernel AbsGrad unregistered.")'
            ),
            inputs("zeros", edge="zeros"),
        ),
        "verified_forward_only",
        {"zeros": Finding("forward_only"), "in-place": EXACT},
    ),
    "an effect on the input where all variants are the check over again": (
        checks.job(
            torch="x[0] = 5\ntorch.abs(x)", mindspore="x[0] = 5\nmindspore.ops.abs(x)",
            twins={"import-only": ""},
        ),
        "verified",
        {"import-only": EXACT, "in-place": EXACT},
    ),
    "what isn't the same twice": (
        job(
            "x * 0",
            "x * 0",
            Variant(
                "keyword", "x * 0", "import os\nx * 0 + int.from_bytes(os.urandom(2), 'big') + 1"
            ),
        ),
        "verified",
        {"keyword": Finding("differs", message="not the same twice")},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcomes(local: Local) -> dict[str, Line]:
    """All cases in one run: one process imports, a child a case."""
    jobs = [replace(made, check=name) for name, (made, *_) in CASES.items()]
    return {line.check: line for line in local.lines(jobs)}


@pytest.mark.parametrize("name", CASES)
def test_what_variants_show(name: str, outcomes: dict[str, Line]) -> None:
    _, outcome, findings = CASES[name]
    line = outcomes[name]
    assert (line.outcome, line.variants) == (outcome, findings)
