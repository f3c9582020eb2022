"""Code about one form of an operation, written for another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.builders.support import base, function, method

from msmap.curated import schema
from msmap.probe import draft
from msmap.probe.bench import Bench
from msmap.probe.draft.caveats import Group
from msmap.probe.draft.siblings import nearest, recast, taken_over, untold
from msmap.probe.sample import Sample

FUNCTION, METHOD = "torch.tanh", "torch.Tensor.tanh"
FUNCTIONAL, LAYER = "torch.nn.functional.gelu", "torch.nn.GELU"


@pytest.mark.parametrize(
    ("sibling", "name", "code", "made"),
    [
        (FUNCTION, METHOD, "torch.tanh(x * 3)", "(x * 3).tanh()"),
        (FUNCTION, METHOD, "torch.tanh(input=x)", "x.tanh()"),
        (METHOD, FUNCTION, "1 - x.tanh()", "1 - torch.tanh(x)"),
        (METHOD, "torch.Tensor.tanh_", "x.tanh()", "x.tanh_()"),
        (FUNCTIONAL, LAYER, "F.gelu(x, approximate='tanh')",
         "torch.nn.GELU(approximate='tanh')(x)"),
        (LAYER, FUNCTIONAL, "nn.GELU('tanh')(x)", "torch.nn.functional.gelu(x, 'tanh')"),
        (LAYER, FUNCTIONAL, "net = torch.nn.GELU()\nnet(x)", None),
        (FUNCTION, METHOD, "mindspore.grad(lambda v: {{ torch.tanh(v) }}.sum())(x)",
         "mindspore.grad(lambda v: {{ v.tanh() }}.sum())(x)"),
        (FUNCTION, METHOD, "torch.sin(x)", None),
    ],
)  # fmt: skip
def test_recast(sibling: str, name: str, code: str, made: str | None) -> None:
    assert recast(code, sibling, name) == made


def test_a_sibling_s_nan_and_small_numbers_stay_what_they_are() -> None:
    values = [float("nan"), -float("inf"), 1e-07, 1e16]
    check = schema.Check(
        id="lost", torch="torch.tanh(n)", expect="differs", gives={"torch": "nan"},
        inputs={"n": schema.Input(values=values, dtype="float32")},
    )  # fmt: skip
    text = {"en": "nan is lost.", "zh": "丢失 nan。"}
    caveat = schema.Caveat(id="nan", impact="silent", text=text, shown_by=["lost"])
    record = schema.Record(
        torch=FUNCTION, summary=text, targets=[schema.Target(api="mindspore.ops.tanh")],
        caveats=[caveat], checks=[check],
    )  # fmt: skip
    told = taken_over(record, caveat, METHOD, set())
    assert told is not None
    written = yaml.safe_load(draft.text({"checks": told.checks}))["checks"]
    assert repr(written) == repr(
        [{"id": "lost", "torch": "n.tanh()", "inputs": {"n": {"values": values}},
          "expect": "differs", "gives": {"torch": "nan"}}]
    )  # fmt: skip


def test_what_changes_its_input_is_far_from_what_does_not(tmp_path: Path) -> None:
    names = ["torch.Tensor.tanh", "torch.Tensor.tanh_", "torch.tanh"]
    torch = [method(name, "()") for name in names[:2]] + [function(names[2], "(input)")]
    body = 'targets: [{api: mindspore.ops.tanh}]\nchecks: [{id: one, torch: "torch.tanh(1)"}]\n'
    written = [(name, body) for name in names[1:]]
    bench = Bench(base(tmp_path, torch, [function("mindspore.ops.tanh", "(input)")], *written))
    assert nearest(bench, names[0]) == "torch.tanh"
    assert nearest(bench, "torch.tanh") == "torch.Tensor.tanh_"


def test_of_samples_that_differ_alike_those_a_sibling_tells_of_are_told() -> None:
    """Such as other shapes: of nan, which it tells of, and of nothing, which it doesn't."""

    def sample(id: str, kind: str) -> Sample:
        return Sample("torch.f", id, "op", "torch.f(x)", {}, "float32", (kind,))

    nan, nothing = sample("a", "nonfinite"), sample("b", "empty")
    over: list[dict[str, Any]] = [
        {"samples": [{"outcomes": ["differs"], "kinds": ["nonfinite"], "message": "shape"}]}
    ]
    messages = {"a": "shape (1,) and (2,)", "b": "shape (0, 2) and (0,)"}

    def left(*members: Sample) -> list[Group]:
        group = Group("differs", "shape (1,) and (2,)", members)
        return untold([group], over, lambda s: messages[s.id])

    assert left(nan, nothing) == [Group("differs", "shape (0, 2) and (0,)", (nothing,))]
    # Variants may show it of a sibling alone.
    over.append({"variants": ["empty"]})
    both = left(nan, nothing, replace(nothing, id="b", kinds=("plain",)))
    assert [len(group.members) for group in both] == [2]
    over.pop()
    assert left(nan) == []
    assert untold([Group("differs", "shape", (nan,))], [], lambda s: messages[s.id]) == [
        Group("differs", "shape", (nan,))
    ]


def test_what_shows_a_sibling_s_remedy_comes_with_its_caveat() -> None:
    """The same call with another side of MindSpore's; not what is of another call or input."""
    given = {"d": schema.Input(shape=[2], dtype="float64")}
    text = {"en": "float64 raises. Cast it.", "zh": "float64 会报错。请转换。"}
    checks = [
        schema.Check(id="plain", torch="torch.tanh(x)"),
        schema.Check(id="double", torch="torch.tanh(d)", inputs=given, expect="raises"),
        schema.Check(
            id="double-cast", torch="torch.tanh(d)", inputs=given,
            mindspore="{{ torch.tanh(d.float()) }}.double()",
        ),
        schema.Check(id="by-hand", torch="torch.tanh(x)", mindspore="mindspore.ops.tanh(x)"),
    ]  # fmt: skip
    caveat = schema.Caveat(id="no-double", impact="error", text=text, shown_by=["double"])
    record = schema.Record(
        torch=FUNCTION, summary=text, targets=[schema.Target(api="mindspore.ops.tanh")],
        caveats=[caveat], checks=checks,
    )  # fmt: skip
    told = taken_over(record, caveat, METHOD, set())
    assert told is not None
    assert told.caveat["shown_by"] == ["double"]
    assert [(c["id"], c["torch"], c.get("mindspore")) for c in told.checks] == [
        ("double", "d.tanh()", None),
        ("double-cast", "d.tanh()", "{{ d.float().tanh() }}.double()"),
    ]  # fmt: skip
