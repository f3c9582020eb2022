"""What drafts say to write instead of what differs or raises: it is tried, and has a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.builders.drafting import HALF, KEYS, MINDSPORE, TORCH, Judge, line, sample
from tests.builders.support import base, method

from msmap.model import Finding
from msmap.probe.bench import Bench
from msmap.probe.draft import Drafted, draft
from msmap.probe.sample import Sample, Sampling
from msmap.probed import Candidate, Probe, Tally

CASTS = ("float", "long")


def casting(folder: Path, judged: Judge, samples: Sequence[Sample]) -> Drafted:
    """The draft of torch.mul, where tensors have methods that give them another dtype."""
    casts = [(f"torch.Tensor.{n}", f"mindspore.Tensor.{n}") for n in CASTS]
    torch = [*TORCH, *(method(one, "()") for one, _ in casts)]
    mindspore = [*MINDSPORE, *(method(other, "()") for _, other in casts)]
    written = [
        (one, f'targets: [{{api: {other}}}]\nchecks: [{{id: one, torch: "torch.mul(1, 1)"}}]\n')
        for one, other in casts
    ]
    bench = Bench(base(folder, torch, mindspore, *written))
    candidates = (Candidate({"api": KEYS[0]}, "same_name", Tally(1, 1)),)
    probe = Probe("torch.mul", "", candidates=candidates)
    run = lambda jobs: [line(job, judged) for job in jobs]  # noqa: E731
    return draft(bench, probe, Sampling("torch.mul", tuple(samples)), run)


def wrong_for_bool(run: Mapping[str, Any]) -> Finding:
    """Of bool the result is wrong, unless it is computed in float32 and converted back."""
    dtypes = {spec["dtype"] for spec in run["inputs"].values()}
    right = ".float()" in run["mindspore"] and run["mindspore"].endswith(".dtype)")
    fine = "bool" not in dtypes or right
    return Finding("agrees") if fine else Finding("differs", "1 of 2 values")


def test_what_to_write_instead_is_tried_and_has_a_check(tmp_path: Path) -> None:
    made = casting(tmp_path, wrong_for_bool, (sample(3), sample(3, "bool"), sample(5, "bool")))
    assert made.todo == 1  # the summary
    assert made.data["caveats"] == [
        {
            "id": "differs-bool", "impact": "silent", "when": "inputs", "device": ["CPU"],
            "text": {
                "en": "For bool the result is another one, see the check. Write"
                " mindspore.ops.mul(x.float(), y.float(), scale=1).astype(x.dtype).",
                "zh": "bool 的结果不同，见检查。请写"
                " mindspore.ops.mul(x.float(), y.float(), scale=1).astype(x.dtype)。",
            },
            "shown_by": ["differs-bool"],
            "samples": [{"outcomes": ["differs"], "dtypes": ["bool"]}],
        },
    ]  # fmt: skip
    assert made.data["checks"][-1] == {
        "id": "differs-bool-instead", "torch": "torch.mul(b, q)",
        "mindspore": "{{ torch.mul(b.float(), q.float()) }}.astype(b.dtype)",
    }  # fmt: skip


def test_what_bfloat16_lacks_hides_no_way_for_other_dtypes(tmp_path: Path) -> None:
    def raising(run: Mapping[str, Any]) -> Finding:
        dtypes = {spec["dtype"] for spec in run["inputs"].values()}
        converted = ".long()" in run["mindspore"] or ".float()" in run["mindspore"]
        lacking = HALF in dtypes or ("bool" in dtypes and not converted)
        return Finding("no_kernel", "TypeError: no") if lacking else Finding("agrees")

    # In integers, which bool could be, bfloat16 would lose its fractions.
    made = casting(tmp_path, raising, (sample(3), sample(3, "bool"), sample(3, HALF)))
    (caveat,) = made.data["caveats"]
    assert caveat["text"]["en"] == (
        "bfloat16 and bool raise TypeError. Write mindspore.ops.mul(x.float(), y.float(), scale=1)."
    )


def other_api(folder: Path, good: Sequence[int]) -> dict[str, str]:
    """What is said where another API agrees on samples of some lengths alone."""

    def judged(run: Mapping[str, Any]) -> Finding:
        length = run["inputs"]["x" if "x" in run["inputs"] else "input"]["shape"][-1]
        right = length in good if "numpy" in run["mindspore"] else length != 0
        return Finding("agrees") if right else Finding("raises", "ValueError: no")

    nothing = sample(0, kinds=("empty",))
    bench = Bench(base(folder, TORCH[:1], MINDSPORE[:2]))
    tallies = (Tally(3, 4), Tally(len(good), 4))
    candidates = tuple(
        Candidate({"api": key}, "same_name", tally)
        for key, tally in zip(KEYS, tallies, strict=False)
    )
    probe = Probe("torch.mul", "", candidates=candidates)
    sampling = Sampling("torch.mul", (sample(3), sample(5), sample(7), nothing))
    made = draft(bench, probe, sampling, lambda jobs: [line(job, judged) for job in jobs])
    return {caveat["id"]: caveat["text"]["en"] for caveat in made.data["caveats"]}


def test_another_api_is_told_only_if_it_agrees_on_most_samples(tmp_path: Path) -> None:
    told = "A tensor without elements raises ValueError. "
    (tmp_path / "one").mkdir()
    (tmp_path / "other").mkdir()
    assert other_api(tmp_path / "one", (0, 3, 5))["empty-raises"] == (
        f"{told}Write mindspore.numpy.mul(x, y)."
    )
    # What agrees on nothing else computes something else.
    assert other_api(tmp_path / "other", (0, 3))["empty-raises"] == f"{told}Skip empty batches."


def test_what_is_silent_and_has_no_remedy_is_left_to_a_person(tmp_path: Path) -> None:
    def wrong(run: Mapping[str, Any]) -> Finding:
        dtypes = {spec["dtype"] for spec in run["inputs"].values()}
        return Finding("differs", "1 of 2 values") if "bool" in dtypes else Finding("agrees")

    made = casting(tmp_path, wrong, (sample(3), sample(3, "bool")))
    assert made.data["caveats"][0]["text"] == {
        "en": "For bool the result is another one, see the check. TODO",
        "zh": "bool 的结果不同，见检查。TODO",
    }
    assert made.todo == 2
