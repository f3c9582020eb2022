"""Which cases of many run: as many as are asked for, others with every commit, what is named."""

from __future__ import annotations

import subprocess
import sys
from typing import cast

import pytest
from tests.builders import moving
from tests.conftest import HERE

CASES = [f"test_one.py::test[{n}]" for n in range(20)]


def test_a_commit_chooses_the_same_cases_in_every_process() -> None:
    code = f"from tests.builders import moving; print(sorted(moving.some({CASES!r}, 3, 'a')))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=HERE.parent)
    assert done.stdout.strip() == str(sorted(moving.some(CASES, 3, "a")))


def test_in_time_all_are_tried() -> None:
    commits = [str(n) for n in range(60)]
    turns = [moving.some(CASES, 4, commit) for commit in commits]
    assert {len(turn) for turn in turns} == {4}
    assert set.union(*turns) == set(CASES)


def test_a_case_more_takes_the_place_of_one_at_most() -> None:
    before, after = (moving.some(cases, 4, "a") for cases in (CASES, [*CASES, "another"]))
    assert len(before & after) >= 3


class Case:
    """What is asked of a collected test."""

    def __init__(self, nodeid: str, *marked: object) -> None:
        self.nodeid = nodeid
        self.marked = pytest.mark.moving(*marked).mark if marked else None

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        assert name == "moving"
        return self.marked


ITEMS = [
    *(Case(f"test_it.py::test_some[{n}]", 2) for n in range(6)),
    *(Case(f"test_it.py::test_each[{k}-{n}]", 1, "kind") for k in ("a-b", "b") for n in "xyz"),
    *(Case(f"test_it.py::test_all[{n}]") for n in range(3)),
]


def chosen(*named: str) -> list[str]:
    """Those that run."""
    left = moving.left(cast("list[pytest.Item]", ITEMS), named, "a")
    return [item.nodeid.partition("::")[2] for item in ITEMS if item.nodeid not in left]


def test_so_many_cases_of_a_marked_test_run() -> None:
    tests = ("test_some[", "test_each[a-b-", "test_each[b-", "test_all[")
    counts = [sum(name.startswith(test) for name in chosen()) for test in tests]
    assert counts == [2, 1, 1, 3]


@pytest.mark.parametrize("place", ["", "tests/", "/somewhere/tests/"])
def test_a_case_that_is_named_runs_whatever_has_its_turn(place: str) -> None:
    for n in range(6):
        assert f"test_some[{n}]" in chosen("test_it.py", f"{place}test_it.py::test_some[{n}]")


@pytest.mark.parametrize(("asked", "whole"), [([], False), (["--whole"], True)])
def test_all_run_where_all_are_asked_for(asked: list[str], whole: bool) -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q"]
    place = HERE / "port" / "test_installed.py"
    done = subprocess.run(
        [*command, *asked, str(place)], capture_output=True, text=True, check=True, cwd=HERE.parent
    )
    assert (done.stdout.count("::") == 3) is whole
