"""What is said of inputs of some dtypes and kinds, of which nothing more is known."""

from __future__ import annotations

from typing import Any

import pytest

from msmap.probe.draft import sentences
from msmap.probe.draft.stock import Said

INSTEAD = {"en": "Pass x.float().", "zh": "请传入 x.float()。"}

# what happens, dtypes, kinds, error, whether to all of the dtypes -> what is said
SAID: dict[str, tuple[tuple[Any, ...], Said | None]] = {
    "a dtype": (
        ("differs", ["bool"], [], "", True),
        Said("differs-bool", "silent", {
            "en": "For bool the result is another one, see the check. TODO",
            "zh": "bool 的结果不同，见检查。TODO",
        }),
    ),
    "a dtype at times": (
        ("differs", ["int8", "bool"], [], "", False),
        Said("differs-bool-int8", "silent", {
            "en": "For bool and int8 the result can be another one, see the check. TODO",
            "zh": "bool 与 int8 的结果可能不同，见检查。TODO",
        }),
    ),
    "a kind of a dtype": (
        ("gradient_differs", ["int8"], ["size-1", "0-d"], "", True),
        Said("gradient-differs-0-d-int8", "silent", {
            "en": "For a 0-d tensor of int8 the gradient can be another one, see the check. TODO",
            "zh": "int8 的 0 维 Tensor 的梯度可能不同，见检查。TODO",
        }),
    ),
    "a kind": (
        ("raises", ["float32", "int8"], ["non-contiguous"], "ValueError", False),
        Said("raises-non-contiguous", "error", {
            "en": "For a non-contiguous tensor the call can raise ValueError, see the check.",
            "zh": "非连续 Tensor 可能抛出 ValueError，见检查。",
        }),
    ),
    "another dtype": (
        ("dtype", ["int8", "uint8"], [], "", True),
        Said("gives-another-dtype-int8-uint8", "silent", {
            "en": "For int8 and uint8 the result has another dtype, see the check. TODO",
            "zh": "int8 与 uint8 的结果 dtype 不同，见检查。TODO",
        }),
    ),
    "no kernel": (
        ("no_kernel", ["bool"], [], "TypeError", True),
        Said("raises-bool", "error", {
            "en": "For bool the call raises TypeError.", "zh": "bool 会抛出 TypeError。",
        }),
    ),
    "some calls": (
        ("gradient_raises", ["float32"], ["plain"], "TypeError", False),
        Said("gradient-raises", "error", {
            "en": "The gradient of some calls raises TypeError, see the check.",
            "zh": "部分调用求梯度会抛出 TypeError，见检查。",
        }),
    ),
    "values of float32": (("differs", ["float32"], [], "", False), None),
    "an error without a name": (("raises", ["bool"], [], "", True), None),
    "a crash": (("crash", ["bool"], [], "", True), None),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_is_said(name: str) -> None:
    arguments, wanted = SAID[name]
    assert sentences.about(*arguments) == wanted


def test_what_to_write_stands_behind_it() -> None:
    found = sentences.about("differs", ["bool"], [], "", True, INSTEAD)
    assert found is not None
    assert found.text == {
        "en": "For bool the result is another one, see the check. Pass x.float().",
        "zh": "bool 的结果不同，见检查。请传入 x.float()。",
    }


def test_what_no_check_shows_points_to_none() -> None:
    found = sentences.about("raises", ["bool"], ["0-d"], "TypeError", True, shown=False)
    assert found is not None
    assert found.text == {
        "en": "For a 0-d tensor of bool the call can raise TypeError.",
        "zh": "bool 的 0 维 Tensor 可能抛出 TypeError。",
    }
