"""Samples of torch.mul to draft from, and what comes out of their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tests.builders.support import function

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.sample import Sample
from msmap.verify.plan.job import EACH, Job

TORCH = [function("torch.mul", "(input, other, *, inplace=False, scale=1, out=None)")]
MINDSPORE = [
    function("mindspore.ops.mul", "(input, other, scale=2)"),
    function("mindspore.numpy.mul", "(x1, x2)"),
    function("mindspore.mint.mul", "(input, other, *, inplace=False, scale=1)"),
]
KEYS = ("mindspore.ops.mul", "mindspore.numpy.mul", "mindspore.mint.mul")
HALF = "bfloat16"

Judge = Callable[[Mapping[str, Any]], Finding]


def sample(number: int, dtype: str = "float32", code: str = "", **changes: Any) -> Sample:
    """A sample whose inputs have as many columns; ``changes`` are of its other fields."""
    spec = {"shape": [4, number], "dtype": dtype}
    plain: dict[str, Any] = {
        "name": "torch.mul", "id": f"op-{number}-{dtype}", "origin": "op", "dtype": dtype,
        "torch": code or "torch.mul(input, other)", "kinds": ("plain",), "gradient": True,
        "inputs": {"input": spec, "other": spec},
    }  # fmt: skip
    return Sample(**plain | changes)


def line(job: Job, judge: Judge) -> Line:
    """What came out of a job: as its check says, or of each of its runs as it is judged."""
    if job.expect == EACH:
        found = {one["name"]: judge(one) for one in job.variants}
        return Line(job.owner, job.check, "", "verified", variants=found)
    outcome = "verified" if job.expect == "same" else "diverges_documented"
    return Line(job.owner, job.check, "", outcome, torch_gave="1", mindspore_gave="2")
