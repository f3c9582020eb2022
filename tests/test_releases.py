"""Releases: their order, which one is meant, and which a range holds."""

from __future__ import annotations

import random

import pytest

from msmap import releases
from msmap.errors import UnknownRelease

ORDERED = ["2.7.0", "2.7.1rc1", "2.7.1", "2.7.2", "2.8.0", "2.9.0", "2.10.0rc2", "2.10.0", "3.0.0"]


def test_releases_are_ordered_as_numbers_and_candidates_come_first() -> None:
    shuffled = random.Random(0).sample(ORDERED, len(ORDERED))
    assert sorted(shuffled, key=releases.order) == ORDERED


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        (None, "3.0.0"),
        ("2.8", "2.8.0"),
        ("2.8.0", "2.8.0"),
        (" 2.8 ", "2.8.0"),
        ("2.7", "2.7.2"),
        ("2.7.1", "2.7.1"),
        ("2", "2.10.0"),
    ],
)
def test_a_short_form_means_the_newest_that_fits(wanted: str | None, meant: str) -> None:
    assert releases.choose(wanted, ORDERED, "MindSpore") == meant


@pytest.mark.parametrize("wanted", ["2.1", "2.6", "", "2.7.3", "2.7.", "newest", "2.8.0.0"])
def test_what_is_not_known_names_what_is(wanted: str) -> None:
    with pytest.raises(UnknownRelease) as caught:
        releases.choose(wanted, ["2.10.0", "2.7.2", "2.7.0"], "MindSpore")
    said = f'MindSpore release "{wanted}": one of 2.7.0, 2.7.2, 2.10.0'
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("versions", "held"),
    [
        (None, ["2.7.0", "2.7.1", "2.9.0", "2.10.0"]),
        (">=2.9", ["2.9.0", "2.10.0"]),
        (">=2.9.0", ["2.9.0", "2.10.0"]),
        ("<2.9", ["2.7.0", "2.7.1"]),
        ("<2.7.1", ["2.7.0"]),
        (">=2.7.1,<2.10", ["2.7.1", "2.9.0"]),
        (">=3", []),
    ],
)
def test_a_range_holds_these(versions: str | None, held: list[str]) -> None:
    known = ["2.7.0", "2.7.1", "2.9.0", "2.10.0"]
    assert [release for release in known if releases.within(release, versions)] == held
