"""Checks run in forked children of one process that imported both frameworks."""

from __future__ import annotations

import os
import sysconfig
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.builders.checks import job

from msmap.evidence.files import Line
from msmap.verify.executors import local
from msmap.verify.executors.local import INSTRUCTIONS, Local
from msmap.verify.plan.job import Job

pytest.importorskip("numpy")

pytestmark = pytest.mark.frameworks


def linear(**changes: Any) -> Job:
    return job(torch="torch.nn.Linear(3, 4)(x)", mindspore="mindspore.nn.Dense(3, 4)(x)", **changes)


NORM = (
    {"torch": "weight", "mindspore": "gamma", "value": "value"},
    {"torch": "bias", "mindspore": "beta", "value": "value"},
    {"torch": "running_mean", "mindspore": "moving_mean", "value": "value"},
    {"torch": "running_var", "mindspore": "moving_variance", "value": "value"},
    {"torch": "num_batches_tracked", "mindspore": None, "value": "value"},
)
IMAGES = {"x": {"shape": [4, 3, 5, 5], "dtype": "float32"}}

# name -> (the job, the fields of its outcome; what isn't named is empty or None)
CASES: dict[str, tuple[Job, dict[str, Any]]] = {
    "agreement": (
        job(),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "other values are refuted": (
        job(mindspore="mindspore.ops.abs(x) + 1"),
        {
            "outcome": "refuted",
            "message": "6 of 6 values, by about 1",
            "torch_gave": "[[0.907, 0.428, 1.08], [0.941, 1.16, 1.43]]",
            "mindspore_gave": "[[1.91, 1.43, 2.08], [1.94, 2.16, 2.43]]",
        },
    ),
    "another dtype is refuted": (
        job(mindspore="mindspore.ops.abs(x).astype(mindspore.float64)", gradient=False),
        {"outcome": "refuted", "message": "dtype float32 and float64"},
    ),
    "another shape is refuted": (
        job(mindspore="mindspore.ops.abs(x).reshape(3, 2)"),
        {"outcome": "refuted", "message": "shape (2, 3) and (3, 2)"},
    ),
    "another number of results is refuted": (
        job(mindspore="(mindspore.ops.abs(x), x)"),
        {"outcome": "refuted", "message": "structure: 1 value and 2 values"},
    ),
    "another gradient with the same values is refuted": (
        job(
            mindspore="stop = mindspore.ops.stop_gradient\nstop(mindspore.ops.abs(x)) + x - stop(x)"
        ),
        {"outcome": "refuted", "gradient": "differs"},
    ),
    "an error in MindSpore is refuted and named": (
        job(mindspore="mindspore.ops.no_such_name(x)"),
        {
            "outcome": "refuted",
            "message": "MindSpore raised AttributeError: module 'mindspore.ops' has no attribute"
            " 'no_such_name'",
        },
    ),
    "a missing kernel is untestable, not refuted": (
        job(torch="torch.std(x)", mindspore="mindspore.mint.std(x)"),
        {
            "outcome": "untestable",
            "reason": "no_kernel",
            "message": "RuntimeError: The kernel Std unregistered.",
        },
    ),
    "a documented difference that is there": (
        job(
            torch="torch.nn.Dropout(0.5).training",
            mindspore="mindspore.nn.Dropout(p=0.5).training",
            expect="differs",
            gives={"torch": "True", "mindspore": "False"},
            inputs={},
        ),
        {
            "outcome": "diverges_documented",
            "message": "True and False",
            "torch_gave": "True",
            "mindspore_gave": "False",
        },
    ),
    "a documented difference that is another one each time": (
        job(
            torch="x.sum()", expect="differs",
            mindspore="import sys\nsys.runs = getattr(sys, 'runs', 1) + 1\n"
            "mindspore.Tensor(sys.runs * 100.0)",
        ),
        {
            "outcome": "diverges_documented", "message": "not the same twice", "torch_gave": "",
            "mindspore_gave": "",
        },
    ),
    "a documented figure is kept as it is written": (
        job(
            torch="x.sum()", mindspore="mindspore.Tensor(0.12344999)", expect="differs",
            gives={"mindspore": "0.1235"},
        ),
        {"outcome": "diverges_documented", "torch_gave": "1.12", "mindspore_gave": "0.1235"},
    ),
    "a documented difference that is gone is refuted": (
        job(expect="differs", gradient=False),
        {
            "outcome": "refuted",
            "message": "both give [[0.9074, 0.4284, 1.078], [0.9412, 1.165, 1.426]]: the documented"
            " difference is gone",
        },
    ),
    "a documented difference that changed is refuted": (
        job(
            torch="1", mindspore="2", expect="differs", gives={"mindspore": "3"}, inputs={},
        ),
        {"outcome": "refuted", "message": "mindspore was to give 3, gave 2"},
    ),
    "a documented error": (
        job(mindspore="mindspore.ops.abs(x, 1, 2)", expect="raises", raises="TypeError"),
        {"outcome": "diverges_documented"},
    ),
    "a documented error that is gone is refuted": (
        job(expect="raises", gradient=False),
        {
            "outcome": "refuted",
            "message": "MindSpore raised nothing, it gave [[0.907, 0.428, 1.08],"
            " [0.941, 1.16, 1.43]]",
        },
    ),
    "an error of PyTorch where MindSpore says nothing": (
        job(
            torch="x.t().view(6)", mindspore="x.T.view(6)", expect="torch-raises",
            raises="view size is not compatible",
        ),
        {"outcome": "diverges_documented"},
    ),
    "what a layer is made of has no gradient, also where a function stands for the layer": (
        job(
            torch="torch.nn.CrossEntropyLoss(w)(x, torch.tensor([0, 2]))",
            mindspore="(lambda x: mindspore.ops.cross_entropy("
            "x, mindspore.Tensor([0, 2], mindspore.int32), w))(x)",
            inputs={
                "x": {"shape": [2, 3], "dtype": "float32"},
                "w": {"shape": [3], "dtype": "float32", "low": 0.5, "high": 2},
            },
        ),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "dtypes of both frameworks are compared by their names": (
        job(torch="x.dtype, torch.bool", mindspore="x.dtype, mindspore.bool_"),
        {"outcome": "verified", "gradient": "none"},
    ),
    "a dtype of another name is refuted": (
        job(torch="x.dtype", mindspore="mindspore.float64"),
        {"outcome": "refuted", "message": "float32 and float64"},
    ),
    "a layer with its weights copied across, in both modes": (
        linear(),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "a layer whose state has no counterpart is refuted": (
        linear(state=({"torch": "weight", "mindspore": "kernel", "value": "value"},)),
        {
            "outcome": "refuted",
            "message": "state: no parameter kernel in MindSpore (has weight, bias)",
        },
    ),
    "running statistics after a training step are compared": (
        job(
            torch="torch.nn.BatchNorm2d(3)(x)",
            mindspore="mindspore.nn.BatchNorm2d(3, momentum=0.9)(x)",
            inputs=IMAGES,
            state=NORM,
        ),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "a momentum that is not transformed turns it red": (
        job(
            torch="torch.nn.BatchNorm2d(3)(x)",
            mindspore="mindspore.nn.BatchNorm2d(3, momentum=0.1)(x)",
            inputs=IMAGES,
            state=NORM,
        ),
        {"outcome": "refuted"},
    ),
    "equal distributions": (
        job(
            torch="torch.nn.functional.dropout(x, 0.3)",
            mindspore="mindspore.ops.dropout(x, 0.3)",
            inputs={"x": {"shape": [100, 100], "dtype": "float32"}},
            expect="same-distribution",
        ),
        {"outcome": "verified"},
    ),
    "different distributions are refuted": (
        job(
            torch="torch.nn.functional.dropout(x, 0.3)",
            mindspore="mindspore.ops.dropout(x, 0.4)",
            inputs={"x": {"shape": [100, 100], "dtype": "float32"}},
            expect="same-distribution",
        ),
        {"outcome": "refuted"},
    ),
    "too few values for a distribution are refuted": (
        job(expect="same-distribution"),
        {"outcome": "refuted", "message": "only 6 values: 1000 are needed to compare"},
    ),
    "a wider tolerance shows in the outcome": (
        job(mindspore="mindspore.ops.abs(x) + 1e-4", rtol=1e-3, atol=1e-3),
        {"outcome": "verified_with_tolerance", "gradient": "agrees"},
    ),
    "an epsilon that the tolerance hides is refuted": (
        job(torch="x / x.abs().sum()", mindspore="x / (mindspore.ops.abs(x).sum() + 3e-5)"),
        {"outcome": "refuted", "message": "values, by less than 0.001 of the largest"},
    ),
    "a tolerance that is stated counts alone": (
        job(
            torch="x / x.abs().sum()", mindspore="x / (mindspore.ops.abs(x).sum() + 3e-5)",
            rtol=1e-5, atol=1e-5,
        ),
        {"outcome": "verified_with_tolerance", "gradient": "agrees"},
    ),
    "float64 computed in float32 is refuted": (
        job(
            torch="torch.exp(x)",
            mindspore="mindspore.ops.exp(x.float()).double()",
            inputs={"x": {"shape": [2, 3], "dtype": "float64"}},
        ),
        {
            "outcome": "refuted",
            "message": "values, by less than 0.001 of the largest",
        },
    ),
    "no further apart than PyTorch's own error": (
        job(torch="(x + 1e4) - 1e4", mindspore="x + 0"),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "nor gradients further than theirs": (
        job(torch="((x + 1e4) - 1e4) ** 2", mindspore="x ** 2"),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "further apart than PyTorch's own error": (
        job(torch="(x + 1e4) - 1e4", mindspore="x + 0.1"),
        {"outcome": "refuted", "message": "6 of 6 values, by about 0.1"},
    ),
    "PyTorch's own error where its code names a dtype is not known": (
        job(torch="(x.to(torch.float32) + 1e4) - 1e4", mindspore="x + 0"),
        {"outcome": "refuted", "message": "values, by less than 0.001 of the largest"},
    ),
    "PyTorch's own error widens no tolerance that is stated": (
        job(torch="(x + 1e4) - 1e4", mindspore="x + 0", rtol=1e-4, atol=1e-4),
        {"outcome": "refuted", "message": "values, by less than 0.001 of the largest"},
    ),
    "an optimizer's steps": (
        job(
            torch="torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)",
            mindspore="mindspore.experimental.optim.SGD(net.trainable_params(), lr=0.1,"
            " momentum=0.9)",
            inputs={},
        ),
        {"outcome": "verified", "gradient": "none"},
    ),
    "an optimizer that forgets what came before is refuted": (
        job(
            torch="torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)",
            mindspore="mindspore.experimental.optim.SGD(net.trainable_params(), lr=0.1)",
            inputs={},
        ),
        {"outcome": "refuted"},
    ),
    "a scheduler's rates": (
        job(
            torch="torch.optim.lr_scheduler.StepLR(optimizer, 3)",
            mindspore="mindspore.experimental.optim.lr_scheduler.StepLR(optimizer, 3)",
            inputs={},
        ),
        {"outcome": "verified", "gradient": "none"},
    ),
    "a scheduler that waits longer is refuted": (
        job(
            torch="torch.optim.lr_scheduler.StepLR(optimizer, 3)",
            mindspore="mindspore.experimental.optim.lr_scheduler.StepLR(optimizer, 4)",
            inputs={},
        ),
        {
            "outcome": "refuted",
            "message": "6 of 12 values, by about 0.1",
            "torch_gave": "[[0.1], [0.1], [0.1], [0.01], [0.01], [0.01], [0.001], [0.001],"
            " [0.001], [0.0001], [0.0001], [0.0001]]",
            "mindspore_gave": "[[0.1], [0.1], [0.1], [0.1], [0.01], [0.01], [0.01], [0.01],"
            " [0.001], [0.001], [0.001], [0.001]]",
        },
    ),
    "a documented crash": (
        job(mindspore="import os\nos.abort()\nx", expect="crashes"),
        {
            "outcome": "diverges_documented",
            "message": "the process crashed: SIGABRT",
            "mindspore_gave": "crash: SIGABRT",
        },
    ),
    "a documented crash that is gone is refuted": (
        job(expect="crashes"),
        {"outcome": "refuted", "message": "the documented crash is gone"},
    ),
    "a snippet that prints and writes files leaves no trace": (
        job(
            mindspore="print('x' * 100000)\nopen('left', 'w').write('behind')\n"
            "mindspore.ops.abs(x)"
        ),
        {"outcome": "verified", "gradient": "agrees"},
    ),
    "code without a value at its end is inconclusive": (
        job(torch="y = x"),
        {
            "outcome": "inconclusive",
            "message": "the check itself: ValueError: the last line of a check must be an"
            " expression",
        },
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def outcomes(local: Local) -> dict[str, Line]:
    """All cases in one run: one process imports, a child a case."""
    jobs = [replace(made, check=name) for name, (made, _) in CASES.items()]
    return {line.check: line for line in local.lines(jobs)}


@pytest.mark.parametrize("name", CASES)
def test_outcome(name: str, outcomes: dict[str, Line]) -> None:
    """Every kind of check ends as it should, and no other check is harmed by it."""
    _, expected = CASES[name]
    line = outcomes[name]
    assert {key: getattr(line, key) for key in expected} == expected


def test_every_job_has_exactly_one_outcome(outcomes: dict[str, Line]) -> None:
    assert sorted(outcomes) == sorted(CASES)


def test_the_same_check_twice_gives_the_same_line(local: Local) -> None:
    """Inputs, seeds and rounding don't depend on the run, nor on what has imported."""
    with Local(width=1) as other:
        assert list(local.lines([linear()])) == list(other.lines([linear()]))


NEW, OLD = "flags : sse2 avx2 avx512f\n", "flags : sse2\n"


@pytest.mark.parametrize(
    ("outside", "processor", "held"),
    [
        ({}, NEW, INSTRUCTIONS),
        ({}, OLD, {k: v for k, v in INSTRUCTIONS.items() if k != "ATEN_CPU_CAPABILITY"}),
        ({"MKL_CBWR": "AVX2"}, NEW, INSTRUCTIONS | {"MKL_CBWR": "AVX2"}),
        (dict.fromkeys(INSTRUCTIONS, ""), NEW, {}),
    ],
)
def test_libraries_are_held_to_instructions_unless_told_otherwise(
    outside: dict[str, str],
    processor: str,
    held: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PyTorch's own kernels only to what the processor has: they are not asked for twice."""
    (tmp_path / "cpuinfo").write_text(processor, encoding="utf-8")
    monkeypatch.setattr(local, "_PROCESSOR", tmp_path / "cpuinfo")
    found = local.surroundings(outside)
    assert {name: found[name] for name in INSTRUCTIONS if name in found} == held


def test_what_is_installed_beside_the_interpreter_is_found() -> None:
    """Checks start msrun; nobody has to activate the virtual environment."""
    scripts = sysconfig.get_path("scripts")
    assert local.surroundings({"PATH": "/bin"})["PATH"] == os.pathsep.join([scripts, "/bin"])
    assert local.surroundings({})["PATH"] == scripts
