"""Records drafted from end to end, by an executor that says what came out and runs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.builders.drafting import HALF, KEYS, MINDSPORE, TORCH, Judge, line, sample
from tests.builders.support import base, function, method

from msmap.curated import schema
from msmap.errors import MsmapError
from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import Drafted, draft, siblings, trial
from msmap.probe.draft.caveats import Group
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Probe, Tally
from msmap.verify.plan.job import Job

SAMPLES = (
    sample(3),
    sample(5, code="torch.mul(input, other, scale=3)"),
    sample(3, "int64"),
    sample(3, HALF),
    sample(7, HALF),
)


def drafted(
    folder: Path, judge: Judge, samples: Sequence[Sample] = SAMPLES, record: str = ""
) -> Drafted:
    """The draft of torch.mul; checks come out as their records say, differing ones as 1 and 2.

    ``record`` is the one that it replaces.
    """
    written = [("torch.mul", record)] if record else []
    bench = Bench(base(folder, TORCH, MINDSPORE, *written))
    count = len(samples)
    agreed = {"mindspore.mint.mul": 0}
    candidates = tuple(
        Candidate({"api": key}, "same_name", Tally(agreed.get(key, count), count)) for key in KEYS
    )

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [line(job, judge) for job in jobs]

    probe = Probe("torch.mul", "", candidates=candidates)
    return draft(bench, probe, Sampling("torch.mul", tuple(samples)), run)


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


OWN = """targets:
  - api: mindspore.ops.mul
    parameters:
      - torch: scale
        mindspore: scale
        relation: value_transformed
        cases: [{when: "1", set: {}}, {when: any, set: {scale: "{scale}"}}]
  - api: mindspore.mint.mul
    parameters:
      - torch: scale
        mindspore: scale
        relation: value_transformed
        cases: [{when: none, set: {}}, {when: any, set: {scale: "{scale}"}}]
"""


def test_targets_of_a_record_that_is_replaced_stay_as_they_are(tmp_path: Path) -> None:
    """What a case leaves out is said, and one of mint that couldn't run keeps PyTorch's names."""
    told = [
        (target["api"], [case for p in target.get("parameters", ()) for case in p.get("cases", ())])
        for target in drafted(tmp_path, judge, record=OWN).data["targets"]
    ]
    kept = {"when": "any", "set": {"scale": "{scale}"}}
    assert told == [
        ("mindspore.ops.mul", [{"when": "1", "set": {}}, kept]),
        ("mindspore.mint.mul", [{"when": "none", "set": {}}, kept]),
    ]


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
        bench, probe, sampling, lambda jobs: [line(job, judge) for job in jobs], "torch.multiply"
    )
    assert [caveat["id"] for caveat in made.data["caveats"]] == ["differs"]


def test_what_does_not_come_out_again_is_left_out(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [
            line(job, judge) if job.check != "integers"
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
    said, _ = trial.settled(
        bench, data, lambda jobs: [line(job, judge) for job in jobs], {"differs"}
    )
    assert said == ["check odd is left out: can't be ported"]
    assert data["caveats"] == [
        {"id": "differs", "impact": "silent", "text": todo, "unverified": todo}
    ]


def test_what_has_other_gradients_precedes_what_has_other_values(tmp_path: Path) -> None:
    """As lint asks; its checks leave the gradients out then."""

    def judged(run: Mapping[str, Any]) -> Finding:
        if "mint" in run["mindspore"]:
            return Finding("no_kernel", "RuntimeError: The kernel MulExt unregistered.")
        if "ops.mul" in run["mindspore"]:
            return Finding("gradient_differs", "gradient: 2 of 2 values")
        three = any(spec["shape"][1] == 3 for spec in run["inputs"].values())
        return Finding("agrees") if three else Finding("differs", "1 of 2 values")

    found = drafted(tmp_path, judged, (sample(3), sample(5), sample(7)))
    assert found.data["targets"][0]["api"] == "mindspore.ops.mul"
    assert found.data["checks"][0]["gradient"] is False


def test_overloads_are_stated_where_places_alone_dont_tell_them_apart(tmp_path: Path) -> None:
    signatures = ["(input, other, *, out=None)", "(self, other)"]
    bench = Bench(base(tmp_path, [function("torch.mul", *signatures)], MINDSPORE))
    parameters = [
        {"torch": "self", "mindspore": "input", "relation": "renamed"},
        {"torch": "input", "mindspore": "input", "relation": "same"},
    ]
    text = {"en": "Multiplies.", "zh": "相乘。"}
    data: dict[str, Any] = {
        "torch": "torch.mul", "summary": text, "overloads": [],
        "targets": [{"api": KEYS[0], "parameters": parameters}], "caveats": [],
        "checks": [{"id": "plain", "torch": "torch.mul(x, x)", "inputs": {"x": "float32[2]"}}],
    }  # fmt: skip
    said, _ = trial.settled(bench, data, lambda jobs: [line(job, judge) for job in jobs], set())
    assert (said, data["overloads"]) == ([], signatures)
    assert [check["id"] for check in data["checks"]] == ["plain"]


def test_what_a_check_of_a_sibling_contradicts_is_not_told(tmp_path: Path) -> None:
    """A sentence that names two dtypes is wrong where one of them is taken."""
    caveat = (
        "caveats:\n"
        "  - id: no-half-on-cpu\n    impact: error\n"
        "    text: {en: bfloat16 and bool raise., zh: bfloat16 与 bool 会报错。}\n"
        "    shown_by: [bfloat16, bool]\n"
    )
    checks = [
        f'  - {{id: {name}, torch: "x.mul(x)", inputs: {{x: "{name}[2]"}}, '
        "expect: raises, raises: Error}\n"
        for name in ("bfloat16", "bool")
    ]
    body = f"targets: [{{api: mindspore.ops.mul}}]\n{caveat}checks:\n{''.join(checks)}"
    torch = [*TORCH, method("torch.Tensor.mul", "(other)")]
    bench = Bench(base(tmp_path, torch, MINDSPORE, ("torch.Tensor.mul", body)))

    def run(jobs: Sequence[Job]) -> list[Line]:
        made = [line(job, lambda _: Finding("agrees")) for job in jobs]
        raised = "MindSpore raised nothing, it gave bool[2]"
        return [
            replace(one, outcome="refuted", message=raised) if one.check == "bool" else one
            for one in made
        ]

    probe = Probe("torch.mul", "", candidates=(Candidate({"api": KEYS[0]}, "form", Tally(1, 1)),))
    found = draft(bench, probe, Sampling("torch.mul", (sample(3),)), run)
    assert "caveats" not in found.data
    assert (
        "caveat no-half-on-cpu doesn't hold here: MindSpore raised nothing, it gave bool[2]"
        in found.said
    )


def test_a_siblings_targets_that_share_the_overloads_are_taken_together(tmp_path: Path) -> None:
    """Each is tried on what it is for, and another that agrees on less than all doesn't precede."""
    torch = [
        function("torch.max", "(input)", "(input, dim)"), method("torch.Tensor.max", "()", "(dim)"),
    ]  # fmt: skip
    mindspore = [
        function("mindspore.ops.amax", "(input, dim)"), function("mindspore.ops.most", "(input)"),
        function("mindspore.ops.max", "(input, dim=None)"),
    ]  # fmt: skip
    body = (
        "targets:\n"
        "  - {api: mindspore.ops.most, id: all, absent: [dim]}\n"
        "  - {api: mindspore.ops.amax, id: along, given: [dim]}\n"
        'checks: [{id: one, torch: "x.max()", inputs: {x: "float32[2]"}}]\n'
    )
    bench = Bench(base(tmp_path, torch, mindspore, ("torch.Tensor.max", body)))
    samples = tuple(
        sample(n, name="torch.max", code=code) for n, code in
        enumerate(("torch.max(input)", "torch.max(input, 0)", "torch.max(input, 1)"), 2)
    )  # fmt: skip

    def judged(run: Mapping[str, Any]) -> Finding:
        wrong = "ops.max" in run["mindspore"] and ", 1" in run["mindspore"]
        return Finding("differs", "1 of 2 values") if wrong else Finding("agrees")

    candidates = (
        Candidate({"api": "mindspore.ops.max"}, "same_name", Tally(2, 3)),
        Candidate({"id": "all"}, "sibling", Tally(1, 2)),
    )
    probe = Probe("torch.max", "", candidates=candidates)
    found = draft(
        bench, probe, Sampling("torch.max", samples), lambda jobs: [line(j, judged) for j in jobs]
    )
    assert {target.get("id") for target in found.data["targets"]} == {"all", "along"}


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
    assert siblings._fits(group, told) is fits


def test_what_was_not_run_is_no_draft(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, TORCH, MINDSPORE))
    probe = Probe("torch.mul", "", reason="accelerator")
    with pytest.raises(MsmapError, match="nothing was run"):
        draft(bench, probe, Sampling("torch.mul"), lambda jobs: [])


def test_what_is_silent_comes_before_what_a_sibling_says_of_errors(tmp_path: Path) -> None:
    like = """\
    targets: [{api: mindspore.ops.mul}]
    caveats:
      - id: no-bfloat16
        impact: error
        text: {en: bfloat16 raises TypeError. Cast it., zh: bfloat16 会抛出 TypeError。请转换。}
        shown_by: [half]
    inputs: {x: "float32[2]"}
    checks:
      - {id: plain, torch: "torch.multiply(x, x)"}
      - id: half
        torch: torch.multiply(v, v)
        inputs: {v: "bfloat16[2]"}
        expect: raises
        raises: TypeError
    """
    torch = [*TORCH, function("torch.multiply", "(input, other)")]
    bench = Bench(base(tmp_path, torch, MINDSPORE, ("torch.multiply", like)))
    candidates = (Candidate({"api": KEYS[0]}, "sibling", Tally(2, 5)),)
    probe = Probe("torch.mul", "", candidates=candidates)

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [line(job, judge) for job in jobs]

    made = draft(bench, probe, Sampling("torch.mul", SAMPLES), run, "torch.multiply")
    ids = [caveat["id"] for caveat in made.data["caveats"]]
    assert ids[0] == "differs"
    assert "no-bfloat16" in ids


LIKE = """\
targets: [{api: mindspore.ops.mul}]
caveats:
  - id: half-differs
    impact: error
    text: {en: bfloat16 raises TypeError. Cast it., zh: bfloat16 会抛出 TypeError。请转换。}
    shown_by: [half]
    samples: [{dtypes: [bfloat16]}]
  - id: by-chance
    impact: silent
    text: {en: Of scale=3 the result is chance. Leave it., zh: scale=3 的结果是随机的。请省略。}
    unverified: {en: It is chance., zh: 结果是随机的。}
    samples: [{outcomes: [differs], given: [scale]}]
  - id: of-nothing
    impact: silent
    text: {en: Of nothing the result is chance. Test x., zh: 没有元素时结果是随机的。请检查 x。}
    unverified: {en: It is chance., zh: 结果是随机的。}
    samples: [{outcomes: [differs], kinds: [empty]}]
inputs: {x: "float32[2]"}
checks:
  - {id: plain, torch: "torch.multiply(x, x)"}
  - id: half
    torch: torch.multiply(v, v)
    inputs: {v: "bfloat16[2]"}
    expect: raises
    raises: TypeError
"""


def test_what_a_sibling_can_not_show_here_is_not_taken_over(tmp_path: Path) -> None:
    """A check of which PyTorch raises shows nothing; what has none is kept if samples differ so."""
    torch = [*TORCH, function("torch.multiply", "(input, other)")]
    bench = Bench(base(tmp_path, torch, MINDSPORE, ("torch.multiply", LIKE)))
    candidates = (Candidate({"api": KEYS[0]}, "sibling", Tally(2, 5)),)
    probe = Probe("torch.mul", "", candidates=candidates)

    def run(jobs: Sequence[Job]) -> list[Line]:
        return [
            Line(job.owner, job.check, "", "refuted", message="PyTorch raised RuntimeError: a leaf")
            if job.check == "half" else line(job, judge)
            for job in jobs
        ]  # fmt: skip

    made = draft(bench, probe, Sampling("torch.mul", SAMPLES), run, "torch.multiply")
    assert [caveat["id"] for caveat in made.data["caveats"]] == ["by-chance"]
    assert [text for text in made.said if "hold here" in text] == [
        "caveat half-differs doesn't hold here: PyTorch raised RuntimeError: a leaf",
        "caveat of-nothing doesn't hold here: no sample differs so",
    ]


@pytest.mark.parametrize(
    ("bools", "keys"), [("agrees", list(KEYS[:2])), ("differs", list(KEYS[:1]))]
)
def test_numpys_interface_is_no_further_target_where_it_is_silently_wrong(
    tmp_path: Path, bools: str, keys: list[str]
) -> None:
    """As sin, which takes some integers and gives float16 for others."""

    def taking(run: Mapping[str, Any]) -> Finding:
        dtype = next(iter(run["inputs"].values()))["dtype"]
        numpy = "numpy" in run["mindspore"]
        if dtype == "bool":
            return Finding(bools if numpy else "raises", "TypeError: no")
        return Finding("agrees" if numpy or dtype == "float32" else "raises", "TypeError: no")

    bench = Bench(base(tmp_path, TORCH, MINDSPORE[:2]))
    candidates = tuple(Candidate({"api": k}, "same_name", Tally(5, 6)) for k in KEYS[:2])
    samples = (*(sample(n) for n in (3, 5, 7, 9, 11, 13)), sample(3, "int64"), sample(5, "bool"))
    probe = Probe("torch.mul", "", candidates=candidates)
    made = draft(
        bench, probe, Sampling("torch.mul", samples), lambda jobs: [line(j, taking) for j in jobs]
    )
    assert [target["api"] for target in made.data["targets"]] == keys
