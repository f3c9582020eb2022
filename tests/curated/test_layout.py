"""The one layout of what people write."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml

from msmap.curated.layout import WIDE, text

LONG = "Results for large inputs are off by up to 1e-4. " * 4
CHINESE = "输入较大时结果误差可达 1e-4，对精度有要求时请先转换为 float64 再计算。" * 4


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ({"torch": "torch.flip"}, ["torch: torch.flip"]),
        (
            {"summary": {"en": "Reverses.", "zh": "翻转。"}},
            ["summary: {en: Reverses., zh: 翻转。}"],
        ),
        (
            {"checks": [{"id": "all", "torch": "torch.flip(x, (0, 1))"}]},
            ["checks:", '  - {id: all, torch: "torch.flip(x, (0, 1))"}'],
        ),
        (
            {"checks": [{"id": "two", "torch": "y = x\ny"}]},
            ["checks:", "  - id: two", "    torch: |", "      y = x", "      y"],
        ),
        ({"targets": [{"api": "mindspore.a"}]}, ["targets:", "  - api: mindspore.a"]),
        ({"inputs": {"x": "float32[2, 3]"}}, ["inputs:", "  x: float32[2, 3]"]),
        (
            {"inputs": {"x": {"values": [1, 2.5, math.nan, -math.inf], "dtype": "float32"}}},
            ["inputs:", "  x: {values: [1, 2.5, .nan, -.inf], dtype: float32}"],
        ),
        (
            {
                "checks": [{"expect": "raises", "torch": "x\n", "id": "a"}, "view"],
                "torch": "torch.a",
            },
            ["torch: torch.a", "checks:", "  - {id: a, torch: x, expect: raises}", "  - view"],
        ),
        ({"caveats": ["one", "two"]}, ["caveats: [one, two]"]),
        # YAML takes 1e-07 for a text.
        (
            {"inputs": {"x": {"values": [1e-7, -3e16, 1.5e-9, None], "dtype": "float32"}}},
            ["inputs:", "  x: {values: [1.0e-07, -3.0e+16, 1.5e-09, null], dtype: float32}"],
        ),
        (
            {"checks": [{"id": "no", "expect": "raises", "raises": "key: a"}]},
            ["checks:", '  - {id: "no", expect: raises, raises: "key: a"}'],
        ),
    ],
)
def test_layout(data: dict[str, Any], lines: list[str]) -> None:
    assert text(data).splitlines() == lines


@pytest.mark.parametrize("said", [LONG.strip(), CHINESE, f"Say: {LONG.strip()}"])
def test_long_texts_are_wrapped_and_read_back(said: str) -> None:
    written = text({"caveats": [{"id": "a", "text": {"en": said, "zh": "短。"}}]})
    assert max(map(len, written.splitlines())) <= WIDE
    read = yaml.safe_load(written)["caveats"][0]["text"]["en"]
    assert read.replace(" ", "") == said.replace(" ", "")
