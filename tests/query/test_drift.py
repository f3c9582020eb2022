"""What changes between releases: names, signatures, and what becomes of records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from msmap.evidence import verification
from msmap.model import Finding
from msmap.query.base import name_drift as namedrift
from msmap.query.base import record_drift
from msmap.query.base.name_drift import Difference, NameDrift, Pair, SignatureDrift
from msmap.query.base.record_drift import CheckDrift, RecordDrift
from msmap.query.drift import drift
from msmap.query.drift.drift import Drift, Happened
from msmap.query.knowledge_base import KnowledgeBase

NOTHING = Difference((), ())
QUIET = RecordDrift("", "", None, None, None, NOTHING, NOTHING, NOTHING, None, ())
ENVIRONMENT = "torch-2.13.0_cpu_linux-x86_64"


@pytest.fixture(scope="module")
def bases(history: Path) -> Iterator[dict[str, KnowledgeBase]]:
    found = {r: KnowledgeBase.open(history, mindspore=r) for r in ("2.8.0", "2.9.0", "2.10.0")}
    yield found
    for kb in found.values():
        kb.close()


def between(bases: dict[str, KnowledgeBase], before: str, after: str) -> Drift:
    return drift.between(bases[before], bases[after])


def test_nothing_changes_from_a_release_to_itself(bases: dict[str, KnowledgeBase]) -> None:
    assert between(bases, "2.10.0", "2.10.0") == Drift(
        "2.10.0", "2.10.0", (ENVIRONMENT,), (), 8, (), (), (), (), ()
    )


def test_the_history_of_a_record_has_what_each_release_did(
    bases: dict[str, KnowledgeBase],
) -> None:
    """The newest first; the same as comparing all of two releases tells of it."""
    steps = [("2.9.0", "2.10.0"), ("2.8.0", "2.9.0")]
    told = {step: {r.name: r for r in between(bases, *step).records} for step in steps}
    owners = [s.torch for s in bases["2.10.0"].records()]
    owners += [f"guide:{guide.id}" for guide in bases["2.10.0"].guides()]
    for owner in owners:
        wanted = [Happened(*step, told[step][owner]) for step in steps if owner in told[step]]
        assert drift.history(bases["2.8.0"], owner) == wanted, owner
    assert any(told[step] for step in steps)


def test_names_come_and_go_and_are_deprecated(bases: dict[str, KnowledgeBase]) -> None:
    first, second = between(bases, "2.8.0", "2.9.0"), between(bases, "2.9.0", "2.10.0")
    assert (first.appeared, first.vanished, first.deprecated) == (
        (NameDrift("mindspore.ops.relu", True, ""),),
        (NameDrift("mindspore.ops.gone", False, ""),),
        (),
    )
    assert (second.appeared, second.vanished, second.deprecated) == (
        (NameDrift("mindspore.mint.cat", True, ""),),
        (),
        (NameDrift("mindspore.nn.Flatten", False, "Deprecated from version 2.10.0."),),
    )
    dropout = SignatureDrift(
        "mindspore.nn.Dropout", True, "signatures", ("dtype=mindspore.float32",), (), (), {},
        NOTHING,
    )  # fmt: skip
    assert (first.signatures, second.signatures) == ((dropout,), ())


def test_records_follow_their_names_and_their_evidence(bases: dict[str, KnowledgeBase]) -> None:
    """The axis of `mindspore.ops.concat` ran in both, the port to `mint.cat` only in the newer."""
    found = between(bases, "2.9.0", "2.10.0")
    refuted, verified = Pair("refuted", "verified"), {"gradient": ("none", "")}
    others = {r.name: r.effect for r in found.records[2:]}
    assert found.records[:2] == (
        replace(
            QUIET,
            name="torch.cat",
            effect="target",
            category=Pair("renamed_params", "identical"),
            verification=refuted,
            target=Pair("mindspore.ops.concat", "mindspore.mint.cat"),
            targets=Difference((), ("mindspore.mint.cat",)),
            example=Pair(
                "mindspore.ops.concat((x, x), axis=-1)", "mindspore.mint.cat((x, x), dim=-1)"
            ),
            changed=(
                CheckDrift(
                    "last",
                    "mindspore.mint.cat",
                    Pair(
                        "mindspore.ops.concat((x, x), axis=-1)",
                        "mindspore.mint.cat((x, x), dim=-1)",
                    ),
                    refuted,
                    "",
                    {},
                    {"message": ("1 of 2 differ", "")},
                ),
                CheckDrift("axis", "mindspore.ops.concat", None, None, "", {}, verified),
            ),
        ),
        replace(
            QUIET,
            name="torch.relu",
            effect="category",
            category=Pair("behaviour_differs", "target_more_params"),
            caveats=Difference(("slow",), ()),
            checks=Difference(("zero",), ()),
            changed=(CheckDrift("plain", "mindspore.ops.relu", None, None, "", {}, verified),),
        ),
    )
    assert others == dict.fromkeys(
        ("guide:training", "torch.Tensor.size", "torch.nn.Dropout", "torch.nn.GELU"), "evidence"
    )


@pytest.mark.parametrize(
    ("before", "after", "effects"),
    [
        ("2.8.0", "2.9.0", {"torch.relu": "gained"}),
        ("2.9.0", "2.8.0", {"torch.relu": "lost"}),
        ("2.10.0", "2.8.0", {"torch.relu": "lost", "torch.cat": "target"}),
    ],
)
def test_without_evidence_of_both_outcomes_are_not_compared(
    before: str, after: str, effects: dict[str, str], bases: dict[str, KnowledgeBase]
) -> None:
    """What is worst comes first."""
    found = between(bases, before, after)
    assert [(r.name, r.effect) for r in found.records] == list(effects.items())
    assert (found.environments, found.unproved) == ((), ("2.8.0",))
    assert [r.verification for r in found.records] == [None] * len(effects)


def test_a_check_that_fails_now_is_worse_than_another_target(
    bases: dict[str, KnowledgeBase],
) -> None:
    found = between(bases, "2.10.0", "2.9.0").records[0]
    assert (found.name, found.effect, found.changed[0].message) == (
        "torch.cat", "refuted", "1 of 2 differ",
    )  # fmt: skip


def test_what_is_stored_is_what_comparing_the_records_gives(
    bases: dict[str, KnowledgeBase],
) -> None:
    """Of every record and guide, between each two releases, in both directions."""
    for before, after in permutations(bases, 2):
        one, other = bases[before], bases[after]
        found = between(bases, before, after)
        compared = [
            record_drift.record(one.lookup(s.torch), other.lookup(s.torch), found.environments)
            for s in one.records()
        ]
        compared += [
            record_drift.guide(mine.owner, mine.checks, theirs.checks, found.environments)
            for mine, theirs in zip(one.guides(), other.guides(), strict=True)
        ]
        happened = {told.name: told for told in compared if told is not None}
        assert {told.name: told for told in found.records} == happened


def test_what_differs_is_told_in_the_order_in_which_it_was_found(history: Path) -> None:
    """The database has the same bytes in processes that hash otherwise."""
    names = ["zeros", "empty", "float64", "float16", "integers", "other-shape"]
    with KnowledgeBase.open(history) as kb:
        record = kb.lookup("torch.cat")
    first, *rest = record.checks
    both = []
    for finding in (Finding("agrees", 0.0), Finding("agrees", 1e-7)):
        evidence = replace(first.evidence[0], variants=dict.fromkeys(names, finding))
        both.append(replace(record, checks=(replace(first, evidence=(evidence,)), *rest)))
    found = record_drift.record(*both, [ENVIRONMENT])
    assert found is not None
    assert list(found.changed[0].facts) == names


def test_a_name_that_shares_an_answer_has_no_example_to_be_ported_otherwise() -> None:
    port = replace(QUIET, name="torch.a", effect="port", example=Pair("old", "new"))
    more = replace(port, caveats=Difference(("slow",), ()))
    assert record_drift.shared(None, "torch.b") is None
    assert record_drift.shared(port, "torch.b") is None
    assert record_drift.shared(more, "torch.b") == replace(
        more, name="torch.b", effect="record", example=None
    )


@pytest.mark.parametrize(
    ("before", "after", "drifted"),
    [
        ("(x, y)", "(x, y, z=1)", (("z=1",), (), (), {})),
        ("(x, y=1)", "(x)", ((), ("y=1",), (), {})),
        ("(x, y=1)", "(x, y=2)", ((), (), (), {"y": Pair("1", "2")})),
        ("(x, y)", "(x, y=2)", ((), (), (), {"y": Pair("", "2")})),
        ("(x, y)", "(y, x)", ((), (), ("x", "y"), {})),
        ("(x, y)", "(x, *, y)", ((), (), ("y",), {})),
        ("(x)", "(*x)", (("*x",), ("x",), (), {})),
        ("(x, **old)", "(x, **new)", (("**new",), ("**old",), (), {})),
        ("(x, *, a=1, b=2)", "(x, *, b=2, a=1)", ((), (), (), {})),
    ],
)
def test_a_changed_signature_is_told_by_its_parameters(
    before: str, after: str, drifted: tuple[object, ...]
) -> None:
    found = namedrift.signature("mindspore.f", True, "call", [before], [after])
    assert (found.came, found.went, found.moved, found.defaults) == drifted
    assert (found.name, found.curated, found.part, found.overloads) == (
        "mindspore.f", True, "call", NOTHING,
    )  # fmt: skip


def test_of_overloads_those_that_changed_are_compared_or_listed() -> None:
    one = namedrift.signature("f", False, "signatures", ["(x)", "(x, y)"], ["(x: int)", "(x, z)"])
    assert (one.came, one.went, one.overloads) == (("z",), ("y",), NOTHING)
    more = namedrift.signature("f", False, "signatures", ["(x)"], ["(x)", "(y) -> Tensor"])
    assert more == SignatureDrift(
        "f", False, "signatures", (), (), (), {}, Difference((), ("(y) -> Tensor",))
    )


def test_a_record_that_can_no_longer_be_ported_is_nearly_lost(
    history: Path,
) -> None:
    with KnowledgeBase.open(history) as kb:
        record = kb.lookup("torch.cat")
    lost = replace(record, example_mindspore="")
    example = Pair("mindspore.mint.cat((x, x), dim=-1)", "")
    assert record_drift.record(record, lost, [ENVIRONMENT]) == replace(
        QUIET, name="torch.cat", effect="unported", example=example
    )


@pytest.mark.parametrize(
    ("before", "after", "effect"),
    [
        (Finding("agrees"), Finding("raises", message="No."), "variant"),
        (Finding("agrees"), Finding("differs"), "refuted"),
        (Finding("differs"), Finding("agrees"), "outcome"),
        (Finding("agrees", 0.0), Finding("agrees", 1e-7), "evidence"),
    ],
)
def test_variants_are_compared_by_their_outcomes_first(
    before: Finding, after: Finding, effect: str, history: Path
) -> None:
    """One that no caveat explains refutes the record, and makes it sound again."""
    found = []
    for finding in (before, after):
        with KnowledgeBase.open(history) as kb:
            record = kb.lookup("torch.cat")
            first = record.checks[0]
            evidence = replace(first.evidence[0], variants={"float16": finding})
            checks = (replace(first, evidence=(evidence,)), *record.checks[1:])
            found.append(verification.judged(replace(record, checks=checks)))
    drifted = record_drift.record(found[0], found[1], [ENVIRONMENT])
    assert drifted is not None
    assert drifted.effect == effect
    same = before.outcome == after.outcome
    assert drifted.changed[0].variants == (
        {} if same else {"float16": Pair(before.outcome, after.outcome)}
    )
    assert (drifted.changed[0].facts.get("float16") == (before, after)) is same
