"""Drafts tell of variants that differ as far as these come out so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.builders.drafting import KEYS, MINDSPORE, TORCH, Judge, line, sample
from tests.builders.support import base

from msmap.evidence.files import Line
from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import Drafted, draft, trial
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Probe, Tally
from msmap.verify.plan.job import Job


def judge(run: Mapping[str, Any]) -> Finding:
    """Another target is no better."""
    if "mint" in run["mindspore"] or "numpy" in run["mindspore"]:
        return Finding("differs", "1 of 2 values, by about 3")
    return Finding("agrees")


def varying(
    folder: Path, gave: Mapping[str, Finding], judged: Judge = judge,
    samples: Sequence[Sample] = (sample(3),),
) -> Drafted:  # fmt: skip
    """The draft of torch.mul, of whose first check the variants give what is said."""

    def run(jobs: Sequence[Job]) -> list[Line]:
        lines = [line(job, judged) for job in jobs]
        return [replace(line, variants=dict(gave)) if line.check == "plain" else line
                for line in lines]  # fmt: skip

    bench = Bench(base(folder, TORCH, MINDSPORE))
    candidates = (Candidate({"api": KEYS[0]}, "same_name", Tally(1, 1)),)
    probe = Probe("torch.mul", "", candidates=candidates)
    return draft(bench, probe, Sampling("torch.mul", tuple(samples)), run)


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
    said, _ = trial.settled(bench, data, lambda jobs: [line], set())
    assert said == ["caveat empty of a sibling doesn't hold here"]
    assert [caveat["id"] for caveat in data["caveats"]] == ["zeros"]


def test_a_variant_that_differs_as_samples_do_joins_their_caveat(tmp_path: Path) -> None:
    small = "values at ['input'], by less than 0.001 of the largest"

    def rounding(run: Mapping[str, Any]) -> Finding:
        dtypes = {spec["dtype"] for spec in run["inputs"].values()}
        return Finding("gradient_differs", small) if "float64" in dtypes else Finding("agrees")

    gave = {"float64": Finding("differs", f"gradient: {small}")}
    made = varying(tmp_path, gave, rounding, (sample(3), sample(3, "float64")))
    assert [(c["id"], c.get("variants")) for c in made.data["caveats"]] == [
        ("float64-gradient-is-rounded", ["float64"])
    ]


def test_variants_that_differ_are_told_by_their_kind(tmp_path: Path) -> None:
    small = "gradient: values at ['x'], by less than 0.001 of the largest"
    gave = {"float64": Finding("differs", small), "zeros": Finding("differs", "1 of 2 values")}
    assert varying(tmp_path, gave).data["caveats"] == [
        {
            "id": "float64-gradient-is-rounded", "impact": "silent", "when": "inputs",
            "device": ["CPU"],
            "text": {
                "en": "In float64 gradients are only about as exact as in float32."
                " Compare up to 1e-6.",
                "zh": "float64 的梯度仅约有 float32 的精度。请以 1e-6 的容差比较。",
            },
            "variants": ["float64"],
        },
        {
            "id": "differs-zeros", "impact": "silent", "when": "inputs", "device": ["CPU"],
            "text": {
                "en": "For zeros the result can be another one. TODO",
                "zh": "全零输入的结果可能不同。TODO",
            },
            "variants": ["zeros"],
        },
    ]  # fmt: skip
