"""What the rewriter says when a target refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.builders.support import function, method, ported
from tests.evidence.test_verification import TARGET

from msmap.model import Text
from msmap.port import targets

TWO_TARGETS = """
targets:
  - api: mindspore.f
    parameters:
      - {torch: mode, relation: source_only_unsupported, allow: ["'a'"]}
  - expression: "mindspore.g({x}, {mode})"
    id: other
    runs_on: [Ascend]
"""

REFUSED_IN_A_SENTENCE = TWO_TARGETS.replace(
    """{torch: mode, relation: source_only_unsupported, allow: ["'a'"]}""",
    "{torch: mode, mindspore: mode, relation: type_differs, cases: "
    "[{when: any, refuse: {en: Not here., zh: 这里不行。}}]}",
)

IN_PLACE = """
targets:
  - expression: "{self}.copy_({self} + {y})"
    id: copy
    parameters:
      - torch: self
        mindspore: self
        relation: same
        cases:
          - {when: subscript, refuse: {en: Not into a slice., zh: 不可写入切片。}}
          - {when: any, set: {self: "{self}"}}
"""


def test_a_call_that_falls_through_to_another_target_says_why_and_where_that_runs(
    tmp_path: Path,
) -> None:
    torch, mindspore = function("torch.f", "(x, mode='a')"), function("mindspore.f", "(x)")
    port = ported(tmp_path, torch, mindspore, TWO_TARGETS, "torch.f(x, 'b')")
    assert (port.code, [note.en for note in port.notes]) == (
        "mindspore.g(x, 'b')",
        [
            "torch.f: `mode='b'`: `mode` has no counterpart in MindSpore; ported to an expression"
            " instead, which runs on Ascend"
        ],
    )


def test_the_reason_of_a_fall_through_ends_once(tmp_path: Path) -> None:
    torch, mindspore = (
        function("torch.f", "(x, mode='a')"),
        function("mindspore.f", "(x, mode='a')"),
    )
    port = ported(tmp_path, torch, mindspore, REFUSED_IN_A_SENTENCE, "torch.f(x, 'b')")
    assert [(note.en, note.zh) for note in port.notes] == [
        (
            "torch.f: Not here; ported to an expression instead, which runs on Ascend",
            "torch.f：这里不行；因此改用表达式，其运行平台为 Ascend",
        )
    ]


def test_a_fall_through_to_what_has_no_kernel_here_names_other_devices_alone() -> None:
    """The documentation of mindspore.mint.atan lists the CPU, where it has no kernel."""
    mint = replace(TARGET, key="mindspore.mint.atan", api="mindspore.mint.atan")
    lacking = replace(
        mint, runs_on=("Ascend", "CPU"), verification="untestable", reason="no_kernel"
    )
    assert targets.fallen_through(lacking, Text("Not here.", "这里不行。")) == (
        Text(
            "Not here; ported to mindspore.mint.atan instead, which runs on Ascend",
            "这里不行；因此改用 mindspore.mint.atan，其运行平台为 Ascend",
        ),
    )


def test_the_best_target_needs_no_note(tmp_path: Path) -> None:
    torch, mindspore = function("torch.f", "(x, mode='a')"), function("mindspore.f", "(x)")
    port = ported(tmp_path, torch, mindspore, TWO_TARGETS, "torch.f(x, 'a')")
    assert (port.code, port.notes) == ("mindspore.f(x)", ())


@pytest.mark.parametrize(
    ("code", "expected", "reasons"),
    [
        ("x.f(y)", "x.copy_(x + y)", []),
        ("x[:, 1].f(y)", "x[:, 1].f(y)", ["torch.Tensor.f: Not into a slice."]),
    ],
)
def test_a_target_may_refuse_what_a_method_is_called_on(
    tmp_path: Path, code: str, expected: str | None, reasons: list[str]
) -> None:
    torch, mindspore = method("torch.Tensor.f", "(y)"), function("mindspore.g", "()")
    port = ported(tmp_path, torch, mindspore, IN_PLACE, code)
    assert (port.code, [r.reason.en for r in port.refusals]) == (expected, reasons)
