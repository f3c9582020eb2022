"""Which candidate of a probe is the best."""

from __future__ import annotations

import pytest

from msmap.candidates import Candidate, Probe
from msmap.probed import Difference, Tally

NO_KERNEL, DIFFERS = Difference("no_kernel", 3), Difference("differs", 3)


def candidate(name: str, agreed: int, *differences: Difference) -> Candidate:
    tally = Tally(agreed, 6)
    return Candidate(name, "form", (), tally, Tally(), Tally(), {}, {}, differences, None)


@pytest.mark.parametrize(
    ("candidates", "best", "first"),
    [
        ([candidate("a", 6), candidate("b", 1)], "a", "a"),
        ([candidate("a", 0, NO_KERNEL), candidate("b", 1, DIFFERS)], "b", "b"),
        ([candidate("a", 0, DIFFERS), candidate("b", 0, NO_KERNEL)], "b", "b"),
        ([candidate("a", 0, DIFFERS, NO_KERNEL), candidate("b", 0)], None, "a"),
        ([], None, None),
    ],
)
def test_what_agreed_is_best_then_what_found_no_kernel(
    candidates: list[Candidate], best: str | None, first: str | None
) -> None:
    """Of what no kernel here could run nothing is known: that isn't disagreement."""
    probe = Probe("torch.x", "function", (), (), "", "here", "", {}, {}, tuple(candidates), "")
    assert (probe.best and probe.best.mindspore, probe.first and probe.first.mindspore) == (
        best, first,
    )  # fmt: skip


@pytest.mark.parametrize(("reason", "basis"), [("", "probed"), ("service", "known")])
def test_a_reason_leaves_a_name_known(reason: str, basis: str) -> None:
    assert Probe("torch.x", "function", (), (), "", "here", reason, {}, {}, (), "").basis == basis
