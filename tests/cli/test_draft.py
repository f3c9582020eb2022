"""`msmap draft`: the record that it writes, and what it says is left to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from msmap.curated import load

DATA = Path(__file__).parents[2] / "data"


def draft(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from msmap_cli.main import main; raise SystemExit(main())",
         "draft", *arguments, "--data", str(folder)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with all signatures and no record."""
    (tmp_path / "records").mkdir()
    (tmp_path / "signatures").symlink_to(DATA / "signatures")
    return tmp_path


@pytest.mark.frameworks
def test_a_draft_loads_and_says_what_is_left(data: Path) -> None:
    done = draft(data, "torch.flip")
    path = data / "records" / "torch" / "flip.yaml"
    assert (done.returncode, done.stdout) == (0, "")
    assert "1 texts to write, in English and Chinese (TODO)" in done.stderr
    found = load.read_record(path).item
    assert [target.api for target in found.targets] == ["mindspore.mint.flip"]
    assert [caveat.id for caveat in found.caveats] == ["no-bfloat16-on-cpu"]
    assert found.summary.en == "TODO"
    again = draft(data, "torch.flip")
    assert (again.returncode, again.stderr) == (
        1, f"msmap: {path} is there already; --force replaces it\n",
    )  # fmt: skip


def test_without_signatures_there_is_no_draft(tmp_path: Path) -> None:
    done = draft(tmp_path, "torch.flip")
    assert (done.returncode, done.stderr) == (
        1,
        f"msmap: {tmp_path}/signatures is missing: a draft needs the files of a checkout\n",
    )
