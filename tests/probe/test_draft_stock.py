"""Sentences that many records have in common."""

from __future__ import annotations

import pytest

from msmap.probe.draft import stock
from msmap.probe.draft.stock import Said

INTEGERS = ("int8", "int16", "int32", "int64", "uint8")


@pytest.mark.parametrize(
    ("dtypes", "said"),
    [
        (
            ["bfloat16"],
            Said("no-bfloat16-on-cpu", "error", {
                "en": "bfloat16 raises TypeError. Debug in float32.",
                "zh": "bfloat16 会抛出 TypeError。调试时请用 float32。",
            }),
        ),
        (
            ["bfloat16", "bool", *INTEGERS],
            Said("no-bfloat16-bool-integers-on-cpu", "error", {
                "en": "bfloat16, bool and integers raise TypeError. Debug in float32.",
                "zh": "bfloat16、bool 与整数会抛出 TypeError。调试时请用 float32。",
            }),
        ),
        (
            ["uint16", "uint32", "uint64", *INTEGERS],
            Said("no-integers-on-cpu", "error", {
                "en": "integers raise TypeError. Debug in float32.",
                "zh": "整数会抛出 TypeError。调试时请用 float32。",
            }),
        ),
        (
            ["uint16", "uint8"],
            Said("no-uint16-uint8-on-cpu", "error", {
                "en": "uint16 and uint8 raise TypeError. Debug in int64.",
                "zh": "uint16 与 uint8 会抛出 TypeError。调试时请用 int64。",
            }),
        ),
        (
            ["int8", "int16"],
            Said("no-int16-int8-on-cpu", "error", {
                "en": "int16 and int8 raise TypeError. Debug in int64.",
                "zh": "int16 与 int8 会抛出 TypeError。调试时请用 int64。",
            }),
        ),
        (["float32", "float64"], None),
    ],
)  # fmt: skip
def test_dtypes(dtypes: list[str], said: Said | None) -> None:
    assert stock.dtypes(dtypes, "TypeError") == said


def test_parameters_that_nobody_knows_have_no_note() -> None:
    assert stock.note("weights") is None


def test_why_numpys_interface_does_not_come_first() -> None:
    assert stock.first("mindspore.numpy.abs", ["complex128", "complex64", "int8"]) == {
        "en": "mindspore.numpy.abs, NumPy's interface, agrees in int8 and complex numbers too; this"
        " is MindSpore's own.",
        "zh": "NumPy 接口 mindspore.numpy.abs 在 int8 与复数下也一致；"
        "此处为 MindSpore 自身的接口。",
    }


def test_what_no_run_found_is_not_advised() -> None:
    assert stock.zero_d("ValueError").text == {
        "en": "A 0-d tensor raises ValueError.",
        "zh": "0 维 Tensor 会抛出 ValueError。",
    }
