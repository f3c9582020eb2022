"""Whole scripts of common styles, ported and run with no edit: they print PyTorch's numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase

pytestmark = pytest.mark.frameworks

SCRIPTS = sorted((Path(__file__).parent / "whole").glob("*.py"))
MINDSPORE = "import mindspore\nmindspore.set_device('CPU')\nmindspore.runtime.launch_blocking()\n"
_NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|-?\d+")


def printed(path: Path, code: str, first: str) -> str:
    """What a script prints, run by itself in a process."""
    path.write_text(code, "utf-8")
    run = f"{first}import runpy\nrunpy.run_path({str(path)!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", run],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.moving(2)
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_it_prints_what_it_prints_with_pytorch(
    script: Path, facts: KnowledgeBase, tmp_path: Path
) -> None:
    code = script.read_text("utf-8")
    ported = facts.port(code).code or ""
    expected = printed(tmp_path / "of_torch.py", code, "")
    found = printed(tmp_path / "of_mindspore.py", ported, MINDSPORE)
    assert _NUMBER.sub("#", found) == _NUMBER.sub("#", expected)
    numbers = [float(text) for text in _NUMBER.findall(expected)]
    assert [float(text) for text in _NUMBER.findall(found)] == pytest.approx(
        numbers, rel=2e-3, abs=2e-4
    )
    assert len(numbers) > 5
