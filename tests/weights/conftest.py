"""What the process with both frameworks found, once for all tests that ask for it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="session")
def carried(shipped: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came out of the cases of `builders/carrying.py`, by name."""
    folder = tmp_path_factory.mktemp("carrying")
    command = [sys.executable, "-m", "tests.builders.carrying", str(folder), str(shipped)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads((folder / "done.json").read_text("utf-8"))
    return found
