"""How far a record is verified: by the worst of its checks, and by variants nobody explains."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.builders.checks import EVIDENCE, check, ran

from msmap.evidence import verification
from msmap.model import Caveat, Check, Record, Target, Text

ONE, TWO = "mindspore.ops.abs", "mindspore.mint.abs"
CHECK = check()
TARGET = Target(
    key=ONE, api=ONE, kind="function", expression=None, remove=False, category="identical",
    verification="", reason="", signatures=(), call=(), runs_on=("Ascend", "CPU"), deprecated="",
    given=(), absent=(), parameters=(), inputs=(), state=(), members={}, returns=None,
    mindspore="", note=None,
)  # fmt: skip
CAVEAT = Caveat(
    id="it-differs", impact="silent", text=Text("It differs.", "有差异。"), parameter=None,
    shown_by=(), unverified=None, target=None, mindspore="", variants=(),
)  # fmt: skip
RECORD = Record(
    torch="torch.abs", kind="function", signatures=(), call=(), overloads=(), deprecated="",
    summary=Text("It does.", "计算。"), category="identical", verification="", targets=(TARGET,),
    missing=None, caveats=(), example_torch="", example_mindspore="", checks=(), references=(),
    guides=(),
)  # fmt: skip


@pytest.mark.parametrize(
    ("outcomes", "expected"),
    [
        ([], "unverified"),
        (["verified"], "verified"),
        (["verified", "verified_with_tolerance"], "verified_with_tolerance"),
        (["verified_with_tolerance", "verified_forward_only"], "verified_forward_only"),
        (["diverges_documented", "verified"], "verified"),
        (["untestable", "verified"], "verified"),
        (["untestable", "diverges_documented"], "diverges_documented"),
        (["untestable"], "untestable"),
        (["verified", "stale"], "stale"),
        (["verified", "inconclusive", "stale"], "inconclusive"),
        (["verified", "refuted", "inconclusive"], "refuted"),
    ],
)
def test_the_worst_check_decides(outcomes: list[str], expected: str) -> None:
    """Bad news shows, the weakest agreement counts, a documented difference lowers nothing."""
    checks = [ran(outcome) for outcome in outcomes]
    assert verification.summarise(checks) == (expected, "")
    assert verification.summarise(reversed(checks)) == (expected, "")


def test_a_check_that_never_ran_leaves_the_target_unverified() -> None:
    assert verification.summarise([ran("verified"), CHECK]) == ("unverified", "")


def test_an_untestable_target_says_why() -> None:
    check = replace(CHECK, evidence=(replace(EVIDENCE, outcome="untestable", reason="no_kernel"),))
    assert verification.summarise([check]) == ("untestable", "no_kernel")


def unexplained(check: Check, *caveats: Caveat, category: str = "identical") -> tuple[str, ...]:
    """The variants of the only check of a record that nothing explains."""
    target = replace(TARGET, category=category)
    record = replace(RECORD, targets=(target,), caveats=caveats, checks=(check,))
    return verification.judged(record).checks[0].evidence[-1].unexplained


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("refused", ()),
        ("agrees", ()),
        ("forward_only", ()),
        ("no_kernel", ()),
        ("raises", ()),
        ("inconclusive", ("zeros",)),
        ("differs", ("zeros",)),
    ],
)
def test_what_differs_in_silence_needs_an_explanation(
    outcome: str, expected: tuple[str, ...]
) -> None:
    """An error explains itself."""
    assert unexplained(ran("verified", zeros=outcome)) == expected


@pytest.mark.parametrize(
    ("caveat", "expected"),
    [
        (CAVEAT, ("zeros", "graph")),
        (replace(CAVEAT, variants=("zeros",)), ("graph",)),
        (replace(CAVEAT, variants=("zeros", "graph")), ()),
        (replace(CAVEAT, variants=("zeros", "graph"), target=ONE), ()),
        (replace(CAVEAT, variants=("zeros", "graph"), target=TWO), ("zeros", "graph")),
    ],
)
def test_a_caveat_of_its_target_explains_a_variant(
    caveat: Caveat, expected: tuple[str, ...]
) -> None:
    check = ran("verified", zeros="differs", graph="differs", float16="agrees")
    assert unexplained(check, caveat) == expected


def test_several_caveats_explain_together() -> None:
    check = ran("verified", zeros="differs", graph="differs")
    both = [replace(CAVEAT, variants=(name,)) for name in ("zeros", "graph")]
    assert unexplained(check, *both) == ()


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        ("no_params", ("import-only",)),
        ("identical", ("import-only",)),
        ("target_more_params", ("import-only",)),
        ("renamed_params", ()),
        ("default_differs", ()),
        ("behaviour_differs", ()),
    ],
)
def test_another_import_is_enough_only_where_the_category_says_so(
    category: str, expected: tuple[str, ...]
) -> None:
    assert unexplained(ran("verified", import_only="differs"), category=category) == expected


def test_a_record_is_as_verified_as_its_best_target() -> None:
    """Each target by its own checks, and a record's by those of the first."""
    two = replace(TARGET, key=TWO, api=TWO, category="renamed_params")
    checks = (
        ran("verified"),
        ran("verified", zeros="raises"),
        ran("verified_forward_only", TWO),
        ran("verified", TWO, zeros="differs"),
    )
    record = replace(RECORD, targets=(TARGET, two), checks=checks)
    done = verification.judged(record)
    assert [(t.key, t.verification) for t in done.targets] == [(ONE, "verified"), (TWO, "refuted")]
    assert done.verification == "verified"
    swapped = verification.judged(replace(record, targets=(two, TARGET)))
    assert swapped.verification == "refuted"


@pytest.mark.parametrize(
    "outcome", ["verified", "verified_with_tolerance", "verified_forward_only"]
)
def test_an_unexplained_difference_refutes_agreement(outcome: str) -> None:
    record = replace(RECORD, checks=(ran(outcome, zeros="differs"),))
    done = verification.judged(record)
    assert (done.verification, done.targets[0].verification) == ("refuted", "refuted")
    explained = replace(record, caveats=(replace(CAVEAT, variants=("zeros",)),))
    assert verification.judged(explained).verification == outcome


def test_a_record_without_targets_has_all_its_checks() -> None:
    record = replace(RECORD, targets=(), checks=(ran("verified"), ran("inconclusive", "")))
    assert verification.judged(record).verification == "inconclusive"


@pytest.mark.parametrize("documented", [("Ascend",), ()])
@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("verified", ("CPU",)), ("verified_with_tolerance", ("CPU",)), ("refuted", ()),
        ("untestable", ()), ("stale", ()),
    ],
)  # fmt: skip
def test_what_ran_says_nothing_of_what_is_documented(
    documented: tuple[str, ...], outcome: str, expected: tuple[str, ...]
) -> None:
    target = replace(TARGET, runs_on=documented)
    record = replace(RECORD, targets=(target,), checks=(ran(outcome),))
    done = verification.judged(record).targets[0]
    assert (done.runs_on, done.ran_on) == (documented, expected)


CPU = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"
ASCEND = "torch-2.13.0_mindspore-2.10.0_ascend_linux-aarch64"
GPU = "torch-2.13.0_mindspore-2.10.0_gpu_linux-x86_64"
MAC = "torch-2.13.0_mindspore-2.10.0_cpu_darwin-arm64"
OLDER = "torch-2.9.0_mindspore-2.10.0_cpu_linux-x86_64"


def ran_in(**outcomes: str) -> Check:
    """The check with an outcome in each environment, by the name of its constant."""
    found = [
        replace(EVIDENCE, environment=globals()[n], outcome=said) for n, said in outcomes.items()
    ]
    return replace(CHECK, evidence=tuple(found))


@pytest.mark.parametrize(
    ("outcomes", "device", "counts"),
    [
        ({}, "", None),
        ({"CPU": "verified", "ASCEND": "refuted"}, "", CPU),
        ({"CPU": "refuted", "GPU": "verified"}, "", CPU),
        ({"ASCEND": "verified", "CPU": "untestable"}, "", CPU),
        ({"ASCEND": "verified", "GPU": "verified"}, "", GPU),
        ({"ASCEND": "verified"}, "", ASCEND),
        ({"CPU": "verified", "ASCEND": "refuted"}, "Ascend", ASCEND),
        ({"CPU": "verified"}, "Ascend", None),
        ({"MAC": "verified", "CPU": "refuted"}, "", CPU),
        ({"MAC": "refuted", "CPU": "verified"}, "", MAC),
        ({"OLDER": "refuted", "CPU": "verified"}, "", CPU),
    ],
)  # fmt: skip
def test_one_environment_counts_whatever_its_name(
    outcomes: dict[str, str], device: str, counts: str | None
) -> None:
    """CPU's, of the newest PyTorch, and the worst of its machines; the order means nothing."""
    check = ran_in(**outcomes)
    for evidence in (check.evidence, check.evidence[::-1]):
        found = verification.counting(replace(check, evidence=evidence), device)
        assert (found and found.environment) == counts


@pytest.mark.parametrize("other", ["ASCEND", "GPU"])
@pytest.mark.parametrize("outcome", ["verified", "refuted", "untestable", "stale"])
def test_what_ran_on_another_device_changes_no_verdict(other: str, outcome: str) -> None:
    """Their names sort before CPU's, and after it."""
    alone = verification.judged(replace(RECORD, checks=(ran_in(CPU="verified"),)))
    both = verification.judged(
        replace(RECORD, checks=(ran_in(**{other: outcome, "CPU": "verified"}),))
    )
    assert both.verification == alone.verification == "verified"
    more = {"ASCEND": "Ascend", "GPU": "GPU"}[other]
    expected = (more, "CPU") if outcome == "verified" else ("CPU",)
    assert both.targets[0].ran_on == expected
    assert replace(both.targets[0], ran_on=()) == replace(alone.targets[0], ran_on=())
