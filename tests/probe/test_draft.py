"""Records drafted from end to end, by an executor that says what came out and runs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.builders.support import base, function, method

from msmap.curated import schema
from msmap.errors import MsmapError
from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import Drafted, draft, make, trial
from msmap.probe.draft.caveats import Group
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


def test_a_dtype_that_is_never_taken_needs_no_caveat_where_a_sibling_has_none(
    tmp_path: Path,
) -> None:
    like = (
        "targets: [{api: mindspore.ops.mul}]\n"
        'inputs: {x: "float32[2]"}\nchecks: [{id: plain, torch: "torch.multiply(x, x)"}]\n'
    )
    torch = [*TORCH, function("torch.multiply", "(input, other)")]
    bench = Bench(base(tmp_path, torch, MINDSPORE, ("torch.multiply", like)))
    candidates = (Candidate({"api": KEYS[0]}, "sibling", Tally(2, 5)),)
    probe = Probe("torch.mul", "", candidates=candidates)
    sampling = Sampling("torch.mul", SAMPLES)
    made = draft(
        bench, probe, sampling, lambda jobs: [_line(job, judge) for job in jobs], "torch.multiply"
    )
    assert [caveat["id"] for caveat in made.data["caveats"]] == ["differs"]


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


def test_what_pytorch_refuses_and_mindspore_takes_is_told(tmp_path: Path) -> None:
    wrong = sample(9, code="torch.mul(input, other, scale=None)", raises=True)

    def taking(run: Mapping[str, Any]) -> Finding:
        return Finding("accepts") if "None" in run["torch"] else judge(run)

    found = drafted(tmp_path, taking, (*SAMPLES, wrong))
    assert found.data["caveats"][-1] == {
        "id": "takes-what-pytorch-refuses", "impact": "note", "device": ["CPU"],
        "text": {
            "en": "Some calls that PyTorch refuses give a result here, see the check. Test the"
            " arguments.",
            "zh": "部分 PyTorch 会报错的调用在此会给出结果，见检查。请自行检查参数。",
        },
        "shown_by": ["accepted"],
    }  # fmt: skip
    assert found.data["checks"][-1] == {
        "id": "accepted", "torch": "torch.mul(x, y, scale=None)",
        "inputs": {"x": "float32[2, 3]", "y": "float32[2, 3]"}, "expect": "torch-raises",
    }  # fmt: skip


def test_random_results_are_compared_by_their_distribution(tmp_path: Path) -> None:
    chance = [replace(s, random=True) for s in SAMPLES]
    found = drafted(tmp_path, judge, chance)
    assert found.data["checks"][0] == {
        "id": "distribution", "torch": "torch.mul(input, other)", "expect": "same-distribution",
        "inputs": {"input": "float32[40, 50]", "other": "float32[40, 50]"},
    }  # fmt: skip


def test_a_check_that_cannot_be_ported_leaves_its_caveat_to_a_person(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    todo = {"en": "TODO", "zh": "TODO"}
    caveat = {"id": "differs", "impact": "silent", "text": todo, "shown_by": ["odd"]}
    data: dict[str, Any] = {
        "torch": "torch.mul", "summary": todo, "targets": [{"api": KEYS[2]}], "caveats": [caveat],
        "checks": [{"id": "plain", "torch": "torch.mul(x, x)", "inputs": {"x": "float32[2]"}},
                   {"id": "odd", "torch": "torch.mul(*x)", "inputs": {"x": "float32[2]"}}],
    }  # fmt: skip
    said = trial.settled(bench, data, lambda jobs: [_line(job, judge) for job in jobs], {"differs"})
    assert said == ["check odd is left out: can't be ported"]
    assert data["caveats"] == [
        {"id": "differs", "impact": "silent", "text": todo, "unverified": todo}
    ]


def test_a_siblings_caveat_that_no_variant_shows_is_left_out(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    text = {"en": "Zeros differ.", "zh": "零不同。"}
    shown = {"id": "zeros", "impact": "silent", "text": text, "variants": ["zeros"]}
    idle = shown | {"id": "empty", "variants": ["empty"]}
    data: dict[str, Any] = {
        "torch": "torch.mul", "summary": text, "targets": [{"api": KEYS[2]}],
        "caveats": [shown, idle],
        "checks": [{"id": "plain", "torch": "torch.mul(x, x)", "inputs": {"x": "float32[2]"}}],
    }  # fmt: skip
    gave = {"zeros": Finding("differs", "1 of 2 values"), "empty": Finding("agrees")}
    line = Line("torch.mul", "plain", "", "verified", variants=gave)
    said = trial.settled(bench, data, lambda jobs: [line], set())
    assert said == ["caveat empty of a sibling doesn't hold here"]
    assert [caveat["id"] for caveat in data["caveats"]] == ["zeros"]


def test_a_variant_in_float64_that_is_no_more_exact_has_its_sentence(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    text = {"en": "Multiplies.", "zh": "相乘。"}
    data: dict[str, Any] = {
        "torch": "torch.mul", "summary": text, "targets": [{"api": KEYS[2]}], "caveats": [],
        "checks": [{"id": "plain", "torch": "torch.mul(x, x)", "inputs": {"x": "float32[2]"}}],
    }  # fmt: skip
    small = "gradient: values at ['x'], by less than 0.001 of the largest"
    gave = {"float64": Finding("differs", small), "zeros": Finding("differs", "1 of 2 values")}
    line = Line("torch.mul", "plain", "", "verified", variants=gave)
    assert len(trial.settled(bench, data, lambda jobs: [line], set())) == 2
    assert [(c["id"], c["variants"]) for c in data["caveats"]] == [
        ("float64-gradient-is-rounded", ["float64"]), ("differs-zeros", ["zeros"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("told", "fits"),
    [
        ({}, True),
        ({"outcomes": ["differs"], "dtypes": ["float32", "int8"], "kinds": ["empty"]}, True),
        ({"message": "values"}, True),
        ({"outcomes": ["raises"]}, False),
        ({"dtypes": ["int8"]}, False),
        ({"kinds": ["0-d"]}, False),
        ({"given": ["scale"]}, False),
        ({"message": "shape"}, False),
    ],
)
def test_what_a_siblings_caveat_tells_of_samples_is_not_told_again(
    told: dict[str, Any], fits: bool
) -> None:
    group = Group("differs", "1 of 2 values", (sample(3, kinds=("empty",)),))
    assert make._fits(group, told) is fits


COPYING = [method("torch.Tensor.mul_", "(other, *, scale=1)")]
WITHOUT = [method("mindspore.Tensor.mul", "(value, scale=1, more=None)")]
METHODS = [*WITHOUT, method("mindspore.Tensor.mul_", "(value)")]


def test_what_nothing_changes_in_place_is_copied_back(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, COPYING, METHODS))

    def in_place(run: Mapping[str, Any]) -> Finding:
        if "mul_(" in run["mindspore"]:
            return Finding("no_kernel", "RuntimeError: The kernel InplaceMul unregistered.")
        return Finding("agrees" if "copy_" in run["mindspore"] else "in_place", "x: 1 of 2 values")

    probe = Probe(
        "torch.Tensor.mul_", "",
        candidates=(Candidate({"api": "mindspore.Tensor.mul"}, "form", Tally(1, 1)),),
    )  # fmt: skip
    spec = {"shape": [2, 3], "dtype": "float32"}
    one = sample(
        1, name="torch.Tensor.mul_", code="x.mul_(other)", inputs={"x": spec, "other": spec}
    )
    sampling = Sampling("torch.Tensor.mul_", (one,))
    found = draft(bench, probe, sampling, lambda jobs: [_line(job, in_place) for job in jobs])
    first, second = found.data["targets"]
    assert (first["id"], first["expression"]) == (
        "copy-mul", "{self}.copy_({self}.mul(value={other}, scale={scale}))",
    )  # fmt: skip
    assert [case["when"] for case in first["parameters"][0]["cases"]] == [
        "subscript",
        "call",
        "any",
    ]
    assert second["api"] == "mindspore.Tensor.mul_"


def test_what_was_not_run_is_no_draft(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    probe = Probe("torch.mul", "", reason="accelerator")
    with pytest.raises(MsmapError, match="nothing was run"):
        draft(bench, probe, Sampling("torch.mul"), lambda jobs: [])
