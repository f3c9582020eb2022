"""What all checks of a target say together, on one line of its page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders.checks import EVIDENCE, check, ran

from msmap.evidence import summary as findings
from msmap.evidence.summary import Summary
from msmap.model import Check
from msmap.render import record as page
from msmap.render.labels import RECORD

CHECK = check()
NOTHING = Summary(
    environments=("here",), outcomes={"verified": 1}, gradients=False, forms=False, variants={},
)  # fmt: skip

# what the checks are -> their summary
CASES: dict[str, tuple[list[Check], Summary]] = {
    "one that agrees": ([ran("verified")], NOTHING),
    "outcomes are counted in their order": (
        [ran("refuted"), ran("verified"), ran("refuted")],
        replace(NOTHING, outcomes={"refuted": 2, "verified": 1}),
    ),
    "one that never ran counts for nothing": ([CHECK, ran("verified")], NOTHING),
    "one gradient that agrees is told": (
        [ran("verified", gradient="agrees"), ran("verified", gradient="none")],
        replace(NOTHING, outcomes={"verified": 2}, gradients=True),
    ),
    "no gradient that agrees": ([ran("verified", gradient="differs")], NOTHING),
    "forms that all agree are told as one": (
        [ran("verified", positional="agrees", keyword="agrees", import_only="agrees")],
        replace(NOTHING, forms=True, variants={"agrees": ("import-only",)}),
    ),
    "forms of which one is refused are told apart": (
        [ran("verified", positional="agrees", keyword="refused")],
        replace(NOTHING, variants={"agrees": ("positional",), "refused": ("keyword",)}),
    ),
    "a variant is as bad as in the worst check": (
        [
            ran("verified", zeros="agrees", graph="raises", bool="refused"),
            ran("verified", zeros="differs", graph="forward_only", bool="agrees"),
        ],
        replace(
            NOTHING,
            outcomes={"verified": 2},
            variants={"differs": ("zeros",), "raises": ("graph",), "agrees": ("bool",)},
        ),
    ),
    "the worst first, then in the order of the vocabulary": (
        [ran("verified", zeros="no_kernel", float16="inconclusive", empty="differs",
             graph="no_kernel", int32="forward_only")],
        replace(
            NOTHING,
            variants={
                "differs": ("empty",), "inconclusive": ("float16",),
                "no_kernel": ("graph", "zeros"), "forward_only": ("int32",),
            },
        ),
    ),
    "the environment that counts alone": (
        [
            replace(
                CHECK,
                evidence=(replace(EVIDENCE, environment="gpu_there", outcome="refuted"), EVIDENCE),
            )
        ],
        NOTHING,
    ),
    "environments in order": (
        [
            ran("verified"),
            replace(CHECK, evidence=(replace(EVIDENCE, environment="elsewhere"),)),
        ],
        replace(NOTHING, environments=("elsewhere", "here"), outcomes={"verified": 2}),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_summary_of_checks(name: str) -> None:
    checks, expected = CASES[name]
    found = findings.of(checks)
    assert found == expected
    assert list(found.variants) == list(expected.variants)


@pytest.mark.parametrize("checks", [[], [CHECK, CHECK]])
def test_without_evidence_there_is_no_summary(checks: list[Check]) -> None:
    assert findings.of(checks) is None


EVERYTHING = [
    ran("verified", gradient="agrees", positional="agrees", keyword="agrees", graph="agrees",
        zeros="differs", float64="raises", bool="refused", bfloat16="forward_only",
        int32="no_kernel", nonfinite="inconclusive"),
    ran("diverges_documented"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "      1 verified, 1 differs as documented; gradients agree; differs: all zeros;"
            " inconclusive: nan and inf; MindSpore raises: float64; no kernel here: int32;"
            " forward agrees: bfloat16; agrees: every form of call, graph mode",
        ),
        (
            "zh",
            "      1 项已验证、1 项差异与记录一致；梯度一致；"
            "不一致：全零；无定论：nan 与 inf；MindSpore 报错：float64；此设备无内核：int32；"
            "仅前向一致：bfloat16；一致：各种传参方式、图模式",
        ),
    ],
)
def test_a_page_says_it_on_one_line(language: str, text: str) -> None:
    """What PyTorch itself refuses is no news."""
    lines = page.proof(EVERYTHING, language, RECORD[language])
    assert [line.text for line in lines] == [text]


@pytest.mark.parametrize(("language", "text"), [("en", "not verified"), ("zh", "未验证")])
def test_a_page_says_that_nothing_ran(language: str, text: str) -> None:
    lines = page.proof([CHECK], language, RECORD[language])
    assert [line.text.strip() for line in lines] == [text]
