"""What may be written instead of a call: which ways are tried, how they read, what is converted."""

from __future__ import annotations

from typing import Any

import pytest

from msmap.probe.draft.caveats import Group
from msmap.probe.draft.remedies import Remedy, ways
from msmap.probe.sample import Sample

FLOAT = ".float()"
BACK = ".astype({x}.dtype)"


def sample(dtype: str, code: str = "torch.f(x)", *kinds: str, **inputs: Any) -> Sample:
    spec = inputs or {"x": {"shape": [2], "dtype": dtype}}
    return Sample("torch.f", "op-0", "op", code, spec, dtype, kinds or ("plain",))


def group(*dtypes: str, message: str = "1 of 2 values", kinds: tuple[str, ...] = ()) -> Group:
    return Group("differs", message, tuple(sample(d, "torch.f(x)", *kinds) for d in dtypes))


# what differs -> the ways that are tried, the simplest first
WAYS: dict[str, tuple[Group, list[Remedy]]] = {
    "half": (
        group("float16"),
        [Remedy(FLOAT), Remedy(FLOAT, BACK), Remedy(FLOAT, ".bool()")],
    ),
    "half and integers": (
        group("float16", "int8"),
        [Remedy(FLOAT), Remedy(FLOAT, BACK), Remedy(FLOAT, ".bool()")],
    ),
    "float32": (group("float32"), []),
    "no axes": (
        group("float32", kinds=("0-d",)),
        [Remedy(".reshape(1)", ".reshape(())"), Remedy(".reshape(1)")],
    ),
    "another dtype": (
        group("float32", message="dtype int64 and int32"),
        [Remedy(after=".astype(mindspore.int64)")],
    ),
    "complex numbers": (group("complex64"), []),
}  # fmt: skip


@pytest.mark.parametrize("name", WAYS)
def test_ways_that_are_tried(name: str) -> None:
    found, wanted = WAYS[name]
    assert list(ways(found)) == wanted


def test_integers_are_computed_in_what_loses_least() -> None:
    tried = [(way.given, way.rounds) for way in ways(group("int64")) if not way.after]
    assert tried == [
        (".double()", False), (".int()", True), (".float()", True),
    ]  # fmt: skip


def test_unsigned_integers_are_converted_as_others_are() -> None:
    tried = [way.given for way in ways(group("bool", "int8", "uint16", "uint64")) if not way.after]
    assert tried == [".long()", ".double()", ".int()", ".float()"]


def test_other_apis_are_tried_before_results_are_converted() -> None:
    assert [(way.given, way.after, way.api) for way in ways(group("float16"), ["mindspore.g"])] == [
        (FLOAT, "", ""), ("", "", "mindspore.g"), (FLOAT, BACK, ""), (FLOAT, ".bool()", ""),
    ]  # fmt: skip


MANY = {
    "x": {"shape": [2], "dtype": "int64"}, "i": {"shape": [2], "dtype": "int64"},
    "w": {"shape": [2], "dtype": "float32"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("remedy", "call"),
    [
        (Remedy(FLOAT), "torch.f(x.float(), i.float(), w, x=x.float())"),
        (Remedy(FLOAT, every=False), "torch.f(x.float(), i, w, x=x.float())"),
        (Remedy(after=BACK), "torch.f(x, i, w, x=x)"),
    ],
)
def test_inputs_of_the_samples_dtype_are_converted(remedy: Remedy, call: str) -> None:
    assert remedy.call(sample("int64", "torch.f(x, i, w, x=x)", **MANY)) == call


@pytest.mark.parametrize(
    ("remedy", "inputs", "en", "zh"),
    [
        (Remedy(FLOAT), {}, "Pass x.float().", "请传入 x.float()。"),
        (
            Remedy(FLOAT, BACK), {},
            "Pass x.float() and convert the result with .astype(x.dtype).",
            "请传入 x.float()，并用 .astype(x.dtype) 转换结果。",
        ),
        (
            Remedy(".int()", rounds=True), MANY,
            "Convert the inputs with .int() (exact below 2**31).",
            "请用 .int() 转换各输入（小于 2**31 时精确）。",
        ),
        (
            Remedy(".reshape(1)", ".reshape(())"), {},
            "Write x.reshape(1), and reshape the result to ().",
            "请先写 x.reshape(1)，再将结果变形为 ()。",
        ),
        (Remedy(api="mindspore.g"), {}, "Use mindspore.g.", "请改用 mindspore.g。"),
        (
            Remedy(after=".astype(mindspore.int64)"), {},
            "Write .astype(mindspore.int64).", "请写 .astype(mindspore.int64)。",
        ),
    ],
)  # fmt: skip
def test_ways_in_words(remedy: Remedy, inputs: dict[str, Any], en: str, zh: str) -> None:
    assert remedy.texts([sample("int64", **inputs)]) == {"en": en, "zh": zh}


def test_a_short_call_is_written_out() -> None:
    assert Remedy(FLOAT).texts([sample("bool")], "mindspore.f(x.float())") == {
        "en": "Write mindspore.f(x.float()).",
        "zh": "请写 mindspore.f(x.float())。",
    }
