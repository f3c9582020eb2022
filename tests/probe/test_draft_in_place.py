"""Drafts of in-place methods."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.builders.drafting import line, sample
from tests.builders.support import base, function, method

from msmap.curated import load
from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import draft
from msmap.probe.sample import Sampling
from msmap.probed import Candidate, Probe, Tally

ROOT = Path(__file__).resolve().parents[2]
# The sentences of what is copied back are those of its family.
FAMILIES = [source.item for source in load.families_in(ROOT / "data").values()]
COPYING = [method("torch.Tensor.mul_", "(other, *, scale=1)")]
WITHOUT = [method("mindspore.Tensor.mul", "(value, scale=1, more=None)")]
METHODS = [*WITHOUT, method("mindspore.Tensor.mul_", "(value)")]


def test_what_nothing_changes_in_place_is_copied_back(tmp_path: Path) -> None:
    bench = Bench(base(tmp_path, COPYING, METHODS), families=FAMILIES)

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
    found = draft(bench, probe, sampling, lambda jobs: [line(job, in_place) for job in jobs])
    first, second = found.data["targets"]
    assert (first["id"], first["expression"]) == (
        "copy-mul", "{self}.copy_({self}.copy().mul(value={other}, scale={scale}))",
    )  # fmt: skip
    assert [case["when"] for case in first["parameters"][0]["cases"]] == [
        "subscript",
        "call",
        "any",
    ]
    assert second["api"] == "mindspore.Tensor.mul_"


def test_a_siblings_copy_that_could_not_be_written_hides_not_the_one_made_here(
    tmp_path: Path,
) -> None:
    """Both are called alike."""
    bench = Bench(base(tmp_path, COPYING, WITHOUT), families=FAMILIES)

    def in_place(run: Mapping[str, Any]) -> Finding:
        return Finding("agrees" if "copy_" in run["mindspore"] else "in_place", "x: 1 of 2 values")

    probe = Probe(
        "torch.Tensor.mul_", "",
        candidates=(
            Candidate({"api": "mindspore.Tensor.mul"}, "form", Tally(2, 2)),
            Candidate({"id": "copy-mul"}, "sibling", Tally(0, 1)),
        ),
    )  # fmt: skip
    spec = {"shape": [2, 3], "dtype": "float32"}
    one = sample(
        1, name="torch.Tensor.mul_", code="x.mul_(other)", inputs={"x": spec, "other": spec}
    )
    sampling = Sampling("torch.Tensor.mul_", (one,))
    found = draft(bench, probe, sampling, lambda jobs: [line(job, in_place) for job in jobs])
    assert found.data["targets"][0]["id"] == "copy-mul"


def test_mint_without_a_kernel_is_no_target_where_it_leaves_its_input_as_it_is(
    tmp_path: Path,
) -> None:
    mint = function("mindspore.mint.mul", "(input, other, *, scale=1)")
    bench = Bench(base(tmp_path, COPYING, [*WITHOUT, mint]), families=FAMILIES)

    def in_place(run: Mapping[str, Any]) -> Finding:
        if "mint" in run["mindspore"]:
            return Finding("no_kernel", "RuntimeError: The kernel Muls unregistered.")
        return Finding("agrees" if "copy_" in run["mindspore"] else "in_place", "x: 1 of 2 values")

    probe = Probe(
        "torch.Tensor.mul_", "",
        candidates=(
            Candidate({"api": "mindspore.Tensor.mul"}, "form", Tally(1, 1)),
            Candidate({"api": "mindspore.mint.mul"}, "form", Tally(0, 1)),
        ),
    )  # fmt: skip
    spec = {"shape": [2, 3], "dtype": "float32"}
    one = sample(
        1, name="torch.Tensor.mul_", code="x.mul_(other)", inputs={"x": spec, "other": spec}
    )
    sampling = Sampling("torch.Tensor.mul_", (one,))
    found = draft(bench, probe, sampling, lambda jobs: [line(job, in_place) for job in jobs])
    assert [target.get("id", target.get("api")) for target in found.data["targets"]] == ["copy-mul"]


def test_a_function_that_changes_its_input_copies_into_its_first_parameter(tmp_path: Path) -> None:
    """As torch.sin_(x), which has no object to copy into."""
    bench = Bench(
        base(
            tmp_path, [function("torch.mul_", "(input, other)")],
            [function("mindspore.ops.mul", "(x, y)")],
        ),
        families=FAMILIES,
    )  # fmt: skip

    def in_place(run: Mapping[str, Any]) -> Finding:
        return Finding("agrees" if "copy_" in run["mindspore"] else "in_place", "x: 1 of 2 values")

    candidates = (Candidate({"api": "mindspore.ops.mul"}, "form", Tally(1, 1)),)
    one = sample(1, name="torch.mul_", code="torch.mul_(input, other)")
    found = draft(
        bench, Probe("torch.mul_", "", candidates=candidates), Sampling("torch.mul_", (one,)),
        lambda jobs: [line(job, in_place) for job in jobs],
    )  # fmt: skip
    (target,) = found.data["targets"]
    assert target["expression"] == "{input}.copy_(mindspore.ops.mul({input}.copy(), y={other}))"
    assert (target["parameters"][0]["torch"], target["parameters"][0]["mindspore"]) == (
        "input", "input",
    )  # fmt: skip
    assert [check["torch"] for check in found.data["checks"]] == ["torch.mul_(x, y)"]
