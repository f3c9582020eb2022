"""Benchmarks start by the commands that stand in the documents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.frameworks
BENCHMARKS = Path(__file__).resolve().parents[1] / "benchmarks"
# As `python benchmarks/NAME.py` imports, but for what it runs then.
STARTED = """
import runpy, sys
folder, *names = sys.argv[1:]
sys.path[0] = folder
for name in names:
    found = list(sys.path)
    runpy.run_path(f"{folder}/{name}", run_name="started")
    sys.path[:] = found
"""


def test_each_finds_what_it_imports() -> None:
    names = sorted(path.name for path in BENCHMARKS.glob("*.py"))
    # The one that asks as the tests do first: others may not have made them known.
    names.sort(key=lambda name: name != "editing.py")
    command = [sys.executable, "-c", STARTED, str(BENCHMARKS), *names]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
