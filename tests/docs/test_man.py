"""The man page says what `--help` says."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ROOT / "docs" / "man" / "msmap.1"


def made() -> str:
    spec = importlib.util.spec_from_file_location("man", ROOT / "docs" / "man.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return str(module.page())


def test_the_shipped_page_is_current() -> None:
    """`python docs/man.py` would change nothing."""
    assert SHIPPED.read_text(encoding="utf-8") == made()


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff")
def test_it_is_well_formed() -> None:
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z", str(SHIPPED)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
