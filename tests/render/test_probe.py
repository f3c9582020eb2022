"""The pieces that pages of probes are made of."""

from __future__ import annotations

from typing import Any

import pytest

from msmap import vocabulary
from msmap.probed import Difference, Tally
from msmap.render import probe


def test_the_worst_difference_comes_first_then_the_commonest() -> None:
    outcomes = ["no_kernel", "differs", "refused", "differs", "crash"]
    found = [Difference(outcome, count) for count, outcome in enumerate(outcomes, 1)]
    assert [(d.outcome, d.count) for d in probe.worst(found)] == [
        ("differs", 4), ("differs", 2), ("crash", 5), ("no_kernel", 1), ("refused", 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"shape": [2, 3], "dtype": "int8"}, "x: int8[2, 3]"),
        ({"shape": []}, "x: float32[]"),
        ({"shape": [1], "dtype": "float16", "low": 0, "high": None}, "x: float16[1] low 0"),
        ({"values": [[1, 2]], "dtype": "int64"}, "x: int64 [[1, 2]]"),
        ({"values": [1, 2], "shape": [1, 2], "edge": "zero-d"}, "x: float32[1, 2] [1, 2] (0-d)"),
        ({"values": list(range(99))}, "x: float32 [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,"
                                      " 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,…"),
    ],
)  # fmt: skip
def test_an_input_is_told_in_few_characters(value: dict[str, Any], written: str) -> None:
    assert probe.inputs(Difference("differs", 1, inputs={"x": value}), "en") == written


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "2 samples · int8, bool · plain, 0-d"), ("zh", "2 个样例 · int8、bool · 普通、0 维")],
)
def test_where_something_differs(language: str, said: str) -> None:
    found = Difference("differs", 2, dtypes=("int8", "bool"), kinds=("plain", "0-d"))
    assert probe.where(found, language) == said
    one = {"en": "1 sample", "zh": "1 个样例"}[language]
    assert probe.where(Difference("differs", 1), language) == one


@pytest.mark.parametrize(("tally", "text"), [(Tally(1, 2), "1/2"), (Tally(), "-")])
def test_a_tally_in_a_table(tally: Tally, text: str) -> None:
    assert probe.share(tally) == text


@pytest.mark.parametrize("language", vocabulary.LANGUAGES)
def test_every_basis_but_a_record_is_marked(language: str) -> None:
    told = {key: probe.PROBE[language][key] for key in vocabulary.BASES if key != "curated"}
    assert len(set(told.values())) == 2
