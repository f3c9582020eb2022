"""What changes between releases mean for code."""

from __future__ import annotations

import pytest

from msmap.query.base.name_drift import Difference, Pair, SignatureDrift
from msmap.query.base.record_drift import CheckDrift, RecordDrift
from msmap.query.drift import effect as bearing

NONE = Difference((), ())


def check(
    outcome: Pair | None = None, variants: dict[str, Pair] | None = None, port: Pair | None = None
) -> CheckDrift:
    return CheckDrift("c", "t", port, outcome, "", variants or {}, {})


def record(effect: str, *changed: CheckDrift) -> RecordDrift:
    return RecordDrift("torch.x", effect, None, None, None, NONE, NONE, NONE, None, changed)


@pytest.mark.parametrize(
    ("effect", "changed", "meant"),
    [
        ("lost", check(Pair("refuted", "verified")), "breaks"),
        ("unported", check(), "breaks"),
        ("gained", check(), "new"),
        ("refuted", check(Pair("verified", "refuted")), "numbers"),
        ("outcome", check(Pair("refuted", "verified")), "mended"),
        ("outcome", check(Pair("unverified", "verified")), "figures"),
        ("variant", check(variants={"float16": Pair("agrees", "raises")}), "breaks"),
        ("variant", check(variants={"float16": Pair("agrees", "differs")}), "numbers"),
        ("variant", check(variants={"float16": Pair("differs", "raises")}), "mended"),
        ("variant", check(variants={"float16": Pair("raises", "agrees")}), "mended"),
        ("target", check(Pair("refuted", "verified"), port=Pair("a", "b")), "record"),
        ("category", check(), "record"),
        ("record", check(), "record"),
        ("evidence", check(), "figures"),
    ],
)
def test_what_happens_to_a_record(effect: str, changed: CheckDrift, meant: str) -> None:
    """What MindSpore does to the same call comes before what is told of it."""
    assert bearing.of_record(record(effect, changed)) == meant


@pytest.mark.parametrize(
    ("found", "meant"),
    [
        (SignatureDrift("n", True, "signatures", (), ("a",), (), {}, NONE), "breaks"),
        (SignatureDrift("n", True, "signatures", (), (), ("a",), {}, NONE), "breaks"),
        (SignatureDrift("n", True, "signatures", (), (), (), {}, Difference(("a",), ())), "breaks"),
        (
            SignatureDrift("n", True, "signatures", (), (), (), {"a": Pair("1", "2")}, NONE),
            "numbers",
        ),
        (SignatureDrift("n", True, "signatures", ("a",), (), (), {}, NONE), "new"),
    ],
)
def test_another_signature(found: SignatureDrift, meant: str) -> None:
    assert bearing.of_signature(found) == meant
