"""What becomes of samples under a record: each counts once, and once more for its gradients."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.builders.support import base, function, yaml
from tests.probe.test_rounds import HERE, Oracle, sample

from msmap.assemble.content import Content
from msmap.curated import load
from msmap.curated.load import Files
from msmap.lint.rule import Subject
from msmap.model import Finding
from msmap.probe import truth
from msmap.probe.bench import Bench
from msmap.probe.sample import Sample, Sampling
from msmap.probe.truth import Truth
from msmap.probed import Cell

TORCH = [function("torch.mul", "(input, other, scale=1)")]
MINDSPORE = [function("mindspore.mint.mul", "(input, other)")]
BODY = """targets:
  - api: mindspore.mint.mul
caveats:
  - id: rounds
    impact: silent
    text: {en: It rounds., zh: 会舍入。}
    unverified: {en: A test., zh: 测试。}
    samples: [{outcomes: [differs], dtypes: [float64], message: 'by about'}]
"""


def truth_of(folder: Path, outcomes: Mapping[str, Finding], *samples: Sample) -> Truth:
    """The truth of a record whose samples come out so, by dtype."""
    made = base(folder, TORCH, MINDSPORE, ("torch.mul", BODY))
    path = folder / "mul.yaml"
    path.write_text(yaml("torch.mul", BODY), encoding="utf-8")
    content = Content(folder, made, Files())
    subject = Subject(load.read_record(path), made.records["torch.mul"], content)

    def judge(run: Mapping[str, Any]) -> Finding:
        return outcomes[run["name"].partition("/")[2]]

    samplings = {"torch.mul": Sampling("torch.mul", samples, gaps={"sparse": 2})}
    (found,) = truth.of(Bench(made), [subject], samplings, Oracle(judge), HERE)
    return found


def test_a_sample_agrees_is_told_is_refused_or_is_told_by_nobody(tmp_path: Path) -> None:
    outcomes = {
        "op-1": Finding("agrees"),
        "op-2": Finding("forward"),
        "op-3": Finding("differs", "1 of 2 values, by about 3"),
        "op-4": Finding("differs", "shape (1,) and ()"),
        "op-6": Finding("gradient_differs", "values at ['input']"),
        "op-7": Finding("raises", "TypeError: none"),
        "op-8": Finding("torch", "RuntimeError: none"),
    }
    found = truth_of(
        tmp_path,
        outcomes,
        sample(1),
        sample(2),
        sample(3, dtype="float64"),
        sample(4, dtype="float64"),
        sample(5, torch="torch.mul(input, other, 2)"),
        sample(6),
        sample(7),
        sample(8),
        sample(9, raises=True),
    )
    assert found.dtypes == {
        "float32": {
            "agrees": 3, "gradient_agrees": 1, "gradient_silent": 1, "loud": 1, "refused": 1,
        },
        "float64": {"silent": 1, "told": 1},
    }  # fmt: skip
    assert [(d.outcome, d.sample, d.mindspore) for d in found.untold] == [
        ("differs", "op-4", "mindspore.mint.mul(input, other)"),
        ("gradient_differs", "op-6", "mindspore.mint.mul(input, other)"),
        ("raises", "op-7", "mindspore.mint.mul(input, other)"),
    ]
    assert [(d.outcome, d.sample, d.cells) for d in found.told] == [
        ("differs", "op-3", (Cell("float64", ("plain",)),)),
    ]
    assert found.gaps == {"sparse": 2}


def test_a_dtype_that_the_target_takes_nowhere_is_told(tmp_path: Path) -> None:
    none = Finding("raises", "TypeError: no int8")
    outcomes = {"op-1": none, "op-2": none, "op-3": none, "op-4": Finding("agrees")}
    tried = [sample(1, dtype="int8"), sample(2, dtype="int8"), sample(3), sample(4)]
    assert truth_of(tmp_path, outcomes, *tried).dtypes == {
        "float32": {"agrees": 1, "gradient_agrees": 1, "loud": 1},
        "int8": {"told": 2},
    }
