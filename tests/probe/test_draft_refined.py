"""What a draft tries besides what signatures say: a cast of the result, a default left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.builders.support import base, function

from msmap.curated import schema
from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import Drafted, draft
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Difference, Probe, Tally
from msmap.verify.plan.job import EACH, Job

TORCH = [function("torch.roll", "(input, shifts, dims=())")]
OTHER_DTYPE = Difference("differs", 2, "dtype int64 and int32")


def sample(number: int, code: str) -> Sample:
    spec = {"shape": [4, number], "dtype": "float32"}
    return Sample(
        name="torch.roll", id=f"op-{number}-float32", origin="op", dtype="float32", torch=code,
        kinds=("plain",), gradient=True, inputs={"input": spec},
    )  # fmt: skip


def drafted(
    folder: Path, wrong: Mapping[str, Finding], *found: Difference, default: str = "None"
) -> Drafted:
    """A draft where code with some text in it differs so; all other code agrees.

    ``default`` is MindSpore's of ``dims``.
    """
    samples = (sample(2, "torch.roll(input, 1, 0)"), sample(3, "torch.roll(input, 1)"))
    agreed = 0 if found else 2
    candidate = Candidate(
        {"api": "mindspore.ops.roll"}, "same_name", Tally(agreed, 2), differences=found
    )

    def judge(run: Mapping[str, Any]) -> Finding:
        code = run["mindspore"]
        return next((f for text, f in wrong.items() if code.endswith(text)), Finding("agrees"))

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [
            Line(job.owner, job.check, "", "verified",
                 variants={one["name"]: judge(one) for one in job.variants}
                 if job.expect == EACH else {})
            for job in jobs
        ]  # fmt: skip

    probe = Probe("torch.roll", "", candidates=(candidate,))
    mindspore = [function("mindspore.ops.roll", f"(input, shifts, dims={default})")]
    return draft(Bench(base(folder, TORCH, mindspore)), probe, Sampling("torch.roll", samples), run)


def test_a_default_that_means_the_same_is_left_out(tmp_path: Path) -> None:
    made = drafted(tmp_path, {"dims=())": Finding("differs", "3 of 8 values")})
    assert schema.Record(**made.data).targets[0].model_dump(exclude_defaults=True) == {
        "api": "mindspore.ops.roll",
        "parameters": [
            {
                "torch": "dims", "mindspore": "dims", "relation": "value_transformed",
                "cases": [{"when": "()"}, {"when": "any", "set": {"dims": "{dims}"}}],
            }
        ],
    }  # fmt: skip


def test_a_default_that_means_something_else_is_written(tmp_path: Path) -> None:
    wrong = {"roll(input, 1)": Finding("differs", "3 of 8 values")}
    made = drafted(tmp_path, wrong, default="0")
    (parameter,) = made.data["targets"][0]["parameters"]
    assert parameter["relation"] == "default_differs"


def test_a_result_of_another_dtype_is_cast(tmp_path: Path) -> None:
    other = Finding("differs", "dtype int64 and int32")
    made = drafted(tmp_path, {"0)": other, "())": other}, OTHER_DTYPE)
    assert made.data["targets"][0]["returns"] == {
        "relation": "type_differs",
        "value": "{result}.astype(mindspore.int64)",
        "text": {
            "en": "The result is int32 on CPU; the cast makes it int64 as PyTorch's.",
            "zh": "在 CPU 上结果为 int32，转换后与 PyTorch 一样是 int64。",
        },
    }
    assert not any("guess" in said for said in made.said)
