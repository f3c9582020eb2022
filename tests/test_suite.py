"""The parts of the suite: what is quick starts no framework and no browser."""

from __future__ import annotations

import subprocess
import sys
from importlib.machinery import PathFinder
from pathlib import Path

import pytest
from tests.conftest import ABSENT, HERE

FRAMEWORKS = pytest.mark.parametrize("framework", ["torch", "mindspore"])


def standing(framework: str) -> Path:
    """The folder from which a framework would be imported here.

    A test that is marked may have imported it into this process before.
    """
    found = PathFinder.find_spec(framework)
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


@FRAMEWORKS
def test_a_test_that_is_not_marked_imports_no_framework(framework: str) -> None:
    """Neither itself nor in a process that it starts."""
    code = [sys.executable, "-c", f"import {framework}"]
    child = subprocess.run(code, capture_output=True, text=True, check=False)
    said = f"AssertionError: a test without the marker `frameworks` imports {framework}"
    assert (standing(framework), child.stderr.splitlines()[-1]) == (Path(ABSENT), said)


@pytest.mark.frameworks
@FRAMEWORKS
def test_a_test_that_is_marked_finds_both(framework: str) -> None:
    assert standing(framework) != Path(ABSENT)


def test_whatever_drives_a_browser_is_marked(request: pytest.FixtureRequest) -> None:
    """Of the tests that run beside this one."""
    browser = [item for item in request.session.items if HERE / "browser" in item.path.parents]
    assert [item.nodeid for item in browser if not item.get_closest_marker("browser")] == []
