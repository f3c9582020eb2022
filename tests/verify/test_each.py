"""Runs that count each: what both frameworks give for a sample, and what it is called."""

from __future__ import annotations

from typing import Any

import pytest

from msmap.model import Finding
from msmap.verify.executors.local import Local
from msmap.verify.plan.job import EACH, LIKE, RAISES, Job

pytestmark = pytest.mark.frameworks

X = {"x": {"shape": [2, 3], "dtype": "float32"}}
N = {"x": {"values": [1, 2], "dtype": "int64"}}

# both sides, the inputs, what is expected -> the finding, its message by its beginning
RUNS: dict[str, tuple[str, str, dict[str, Any], str, Finding]] = {
    "values and gradients": (
        "torch.exp(x)", "mindspore.ops.exp(x)", X, "same", Finding("agrees"),
    ),
    "nothing to derive": ("x + x", "x + x", N, "same", Finding("forward")),
    "other values": (
        "x + x", "x * x", N, "same",
        Finding("differs", "1 of 2 values", torch_gave="[2, 4]", mindspore_gave="[1, 4]"),
    ),
    "another dtype": (
        "x.sum()", "mindspore.ops.sum(x).astype(mindspore.int32)", N, "same",
        Finding("differs", "dtype int64 and int32", torch_gave="3", mindspore_gave="3"),
    ),
    "one that is wrong behind many that are rounded": (
        "x, x, x, x, x, x", "(*[x * 1.00001] * 5, x * 2)",
        {"x": {"values": [1, 2], "dtype": "float32"}}, "same",
        Finding(
            "differs",
            "values at [0], by less than 0.001 of the largest; "
            "values at [1], by less than 0.001 of the largest; "
            "values at [2], by less than 0.001 of the largest; 2 of 2 values at [5], by about 1",
            torch_gave=f"({'[1.0, 2.0], ' * 5}[1.0, 2.0])",
            mindspore_gave=f"({'[1.0, 2.0], ' * 5}[2.0, 4.0])",
        ),
    ),
    "another gradient": (
        "x * 2", "mindspore.ops.stop_gradient(x) * 2", X, "same", Finding("gradient_differs", ""),
    ),
    "no effect on the input": ("x.mul_(x)", "x * x", N, "same", Finding("in_place", "x: ")),
    "MindSpore raises": (
        "x.sum()", "mindspore.ops.none(x)", X, "same", Finding("raises", "AttributeError: "),
    ),
    "PyTorch raises": ("torch.none(x)", "x", X, "same", Finding("torch", "AttributeError: ")),
    # The mean of nothing: PyTorch's is nan.
    "other values of nothing": (
        "x.mean()", "mindspore.ops.sum(x)", {"x": {"shape": [0, 2], "dtype": "float32"}}, "same",
        Finding("differs", "other values, though there is nothing to compute from"),
    ),
    "a layer that gives other values of nothing": (
        "torch.nn.MSELoss()(x, y)", "mindspore.nn.MSELoss(reduction='sum')(x, y)",
        {n: {"values": [], "dtype": "float32"} for n in "xy"}, "same",
        Finding("differs", "other values, though there is nothing to compute from"),
    ),
    "another shape of nothing": (
        "x.sum(0)", "mindspore.ops.sum(x)", {"x": {"shape": [0, 2], "dtype": "float32"}}, "same",
        Finding("differs", "shape "),
    ),
    "a function, which lies elsewhere in every run": (
        "None", "mindspore.grad(lambda x: x)", X, "same",
        Finding(
            "differs", "dtype NoneType and function", torch_gave="None",
            mindspore_gave="<function _Grad.__call__.<locals>.after_grad>",
        ),
    ),
    "both raise": ("x.reshape(7)", "x.reshape(7)", X, RAISES, Finding("agrees")),
    "only PyTorch raises": (
        "torch.none(x)", "x.sum()", N, RAISES, Finding("accepts", mindspore_gave="3"),
    ),
    "random of one form": (
        "torch.rand_like(x)", "mindspore.ops.rand_like(x)", X, LIKE, Finding("forward"),
    ),
    "random of another form": (
        "torch.rand(2)", "mindspore.ops.rand(3)", X, LIKE,
        Finding("differs", "float32[2] and float32[3]"),
    ),
    "a layer that is random in one mode": (
        "torch.nn.Dropout(0.5)(x)", "mindspore.nn.Dropout(p=0.5)(x)", X, "same", Finding("agrees"),
    ),
    "a layer that is random in one mode, and otherwise in the other": (
        "torch.nn.Dropout(0.5)(x)", "mindspore.nn.Dropout(p=0.5)(x * 2)",
        {"x": {"values": [1, 2], "dtype": "float32"}}, "same",
        Finding(
            "differs", "eval: 2 of 2 values", torch_gave="[1.0, 2.0]", mindspore_gave="[2.0, 4.0]"
        ),
    ),
    "rounding in a layer of a stated dtype": (
        "torch.nn.Conv2d(4, 5, 3, padding='same', dtype=torch.float16)(input)",
        "c = ms.nn.Conv2d(4, 5, 3, pad_mode='same', has_bias=True, dtype=ms.float16)\nc(input)",
        {"input": {"shape": [2, 4, 3, 4], "dtype": "float16", "low": -9.0, "high": 9.0}}, "same",
        Finding("agrees"),
    ),
    "a gradient that is what is left of numbers that cancel out": (
        "torch.nn.Tanh()(x)", "mindspore.nn.Tanh()(x)",
        {"x": {"values": -8.306, "dtype": "float64"}}, "same", Finding("agrees"),
    ),
    "an empty input changed in place": (
        "x.zero_()", "x.copy_(mindspore.ops.zeros_like(x))",
        {"x": {"shape": [0], "dtype": "float32"}}, "same", Finding("agrees"),
    ),
    "a gradient in nine dimensions": (
        "x.clone()", "x.copy()", {"x": {"shape": [1] * 8 + [2], "dtype": "float32"}}, "same",
        Finding("agrees"),
    ),
    "an operator that fails inside": (
        "torch.logaddexp(x, y)", "x.logaddexp(y)",
        {"x": {"shape": [0, 3], "dtype": "float32"}, "y": {"shape": [1, 3], "dtype": "float32"}},
        "same", Finding("raises", "RuntimeError: For 'Maximum', the dimension of output"),
    ),
    "the same one, which raises that error once more": (
        "torch.logaddexp(x, x)", "x.logaddexp(x)", {"x": {"values": 1.5, "dtype": "float32"}},
        "same", Finding("agrees"),
    ),
    "a crash": (
        "x.sum()", "__import__('os').kill(__import__('os').getpid(), 11)", X, "same",
        Finding("inconclusive", "the process crashed: SIGSEGV"),
    ),
    "what follows a crash": ("x + x", "x + x", N, "same", Finding("forward")),
    "the first gradient of a softmax, along one value": (
        "torch.softmax(x, 1)", "mindspore.ops.softmax(x, 1)",
        {"x": {"shape": [2, 1], "dtype": "float32"}}, "same", Finding("agrees"),
    ),
    "a later one, which that makes wrong in the same process": (
        "torch.softmax(x, 1)", "mindspore.ops.softmax(x, 1)", X, "same", Finding("agrees"),
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def found(local: Local) -> dict[str, Finding]:
    runs = tuple(
        {"name": name, "torch": torch, "mindspore": mindspore, "inputs": inputs, "gradient": True,
         "expect": expect, "state": []}
        for name, (torch, mindspore, inputs, expect, _) in RUNS.items()
    )  # fmt: skip
    job = Job(
        owner="torch.mul", check="probe", hash="", torch="", mindspore="", inputs={}, expect=EACH,
        gives={}, gradient=True, modes=(), rtol=None, atol=None, raises=None, state=(),
        variants=runs,
    )  # fmt: skip
    (line,) = local.lines([job])
    return line.variants


@pytest.mark.parametrize("name", RUNS)
def test_what_a_run_shows(name: str, found: dict[str, Finding]) -> None:
    wanted, finding = RUNS[name][-1], found[name]
    start = finding.message[: len(wanted.message)]
    assert (start, finding.outcome, finding.torch_gave, finding.mindspore_gave) == (
        wanted.message, wanted.outcome, wanted.torch_gave, wanted.mindspore_gave
    )  # fmt: skip
