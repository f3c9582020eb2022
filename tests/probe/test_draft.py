"""Records drafted from end to end, by an executor that says what came out and runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.builders.support import base, function

from msmap.curated import schema
from msmap.errors import MsmapError
from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import Drafted, draft
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Probe, Tally
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
    spec = {"shape": [4, number], "dtype": dtype}
    plain: dict[str, Any] = {
        "name": "torch.mul", "id": f"op-{number}-{dtype}", "origin": "op", "dtype": dtype,
        "torch": code or "torch.mul(input, other)", "kinds": ("plain",), "gradient": True,
        "inputs": {"input": spec, "other": spec},
    }  # fmt: skip
    return Sample(**plain | changes)


SAMPLES = (
    sample(3),
    sample(5, code="torch.mul(input, other, scale=3)"),
    sample(3, "int64"),
    sample(3, HALF),
    sample(7, HALF),
)


def drafted(folder: Path, judge: Judge, samples: Sequence[Sample] = SAMPLES) -> Drafted:
    """The draft of torch.mul; checks come out as their records say, differing ones as 1 and 2."""
    bench = Bench(base(folder, TORCH, MINDSPORE))
    count = len(samples)
    agreed = {"mindspore.mint.mul": 0}
    candidates = tuple(
        Candidate({"api": key}, "same_name", Tally(agreed.get(key, count), count)) for key in KEYS
    )

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [_line(job, judge) for job in jobs]

    probe = Probe("torch.mul", "", candidates=candidates)
    return draft(bench, probe, Sampling("torch.mul", tuple(samples)), run)


def _line(job: Job, judge: Judge) -> Line:
    if job.expect == EACH:
        found = {one["name"]: judge(one) for one in job.variants}
        return Line(job.owner, job.check, "", "verified", variants=found)
    outcome = "verified" if job.expect == "same" else "diverges_documented"
    return Line(job.owner, job.check, "", outcome, torch_gave="1", mindspore_gave="2")


def judge(run: Mapping[str, Any]) -> Finding:
    """No kernel of mint, numpy is wrong; ops takes no bfloat16, and scale=3 is wrong."""
    code = run["mindspore"]
    if "mint" in code:
        return Finding("no_kernel", "RuntimeError: The kernel MulExt unregistered.")
    if "numpy" in code:
        return Finding("differs", "1 of 2 values, by about 3")
    if any(spec["dtype"] == HALF for spec in run["inputs"].values()):
        return Finding("no_kernel", "TypeError: Unsupported data type!")
    if "scale=3" in code:
        return Finding("differs", "1 of 2 values, by about 3")
    return Finding("agrees")


@pytest.fixture
def made(tmp_path: Path) -> Drafted:
    return drafted(tmp_path, judge)


def test_a_draft_is_a_record(made: Drafted) -> None:
    assert schema.Record(**made.data).torch == "torch.mul"
    assert made.todo == 2  # the summary, and what scale=3 does


def test_targets_are_those_that_agree_then_one_of_mint_without_a_kernel(made: Drafted) -> None:
    assert [target["api"] for target in made.data["targets"]] == [
        "mindspore.ops.mul", "mindspore.mint.mul",
    ]  # fmt: skip
    assert made.data["targets"][0]["parameters"] == [
        {
            "torch": "inplace", "relation": "source_only_droppable",
            "note": {
                "en": "The input is never changed; use the result.",
                "zh": "输入不会被原地修改，请使用返回值。",
            },
        },
        {
            "torch": "scale", "mindspore": "scale", "relation": "default_differs",
            "note": {
                "en": "PyTorch's default of scale is 1, MindSpore's is 2; write it.",
                "zh": "PyTorch 中 scale 的默认值为 1，MindSpore 中为 2，请显式写出。",
            },
        },
    ]  # fmt: skip


def test_checks_are_few_and_short_and_share_inputs(made: Drafted) -> None:
    assert made.data["inputs"] == {"x": "float32[3, 2]", "y": "float32[3, 2]"}
    assert made.data["checks"] == [
        {"id": "plain", "torch": "torch.mul(x, y)"},
        {"id": "integers", "torch": "torch.mul(i, j)",
         "inputs": {"i": "int64[3, 2]", "j": "int64[3, 2]"}},
        {"id": "mint", "torch": "torch.mul(x, y)", "target": "mindspore.mint.mul"},
        {"id": "differs", "torch": "torch.mul(x, y, scale=3)",
         "inputs": {"x": "float32[2, 3]", "y": "float32[2, 3]"},
         "expect": "differs", "gives": {"torch": "1", "mindspore": "2"}},
        {"id": "bfloat16", "torch": "torch.mul(v, u)",
         "inputs": {"v": "bfloat16[3, 2]", "u": "bfloat16[3, 2]"},
         "expect": "raises", "raises": "TypeError"},
    ]  # fmt: skip


def test_each_way_to_differ_is_a_caveat_with_its_check(made: Drafted) -> None:
    todo = {"en": "TODO", "zh": "TODO"}
    assert made.data["caveats"] == [
        {"id": "differs", "impact": "silent", "device": ["CPU"], "text": todo,
         "shown_by": ["differs"], "samples": [{"outcomes": ["differs"], "dtypes": ["float32"]}]},
        {"id": "no-bfloat16-on-cpu", "impact": "error", "device": ["CPU"],
         "text": {
             "en": "bfloat16 raises TypeError. Debug in float32.",
             "zh": "bfloat16 会抛出 TypeError。调试时请用 float32。",
         },
         "shown_by": ["bfloat16"],
         "samples": [{"outcomes": ["no_kernel"], "dtypes": ["bfloat16"]}]},
    ]  # fmt: skip


def test_what_does_not_come_out_again_is_left_out(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [
            _line(job, judge) if job.check != "integers"
            else Line(job.owner, job.check, "", "refuted", message="1 of 2 values differ")
            for job in jobs
        ]  # fmt: skip

    candidates = (Candidate({"api": KEYS[0]}, "same_name", Tally(5, 5)),)
    probe = Probe("torch.mul", "", candidates=candidates)
    found = draft(bench, probe, Sampling("torch.mul", SAMPLES), run)
    assert "integers" not in [check["id"] for check in found.data["checks"]]
    assert "check integers is left out: refuted: 1 of 2 values differ" in found.said


def test_what_was_not_run_is_no_draft(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    probe = Probe("torch.mul", "", reason="accelerator")
    with pytest.raises(MsmapError, match="nothing was run"):
        draft(bench, probe, Sampling("torch.mul"), lambda jobs: [])
