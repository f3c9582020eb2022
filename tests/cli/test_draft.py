"""`msmap draft`: the record that it writes, and what it says is left to do."""

from __future__ import annotations

import json
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
def test_names_are_drafted_together_and_one_without_samples_stops_no_other(data: Path) -> None:
    records = data / "records" / "torch"
    # What is tried instead is written with it.
    (records / "Tensor").mkdir(parents=True)
    cast = Path("records", "torch", "Tensor", "float.yaml")
    (data / cast).symlink_to(DATA / cast)
    done = draft(data, "torch.AVG", "torch.sign", "torch.sign")
    assert done.returncode == 1
    assert done.stderr.startswith(
        "msmap: torch.AVG: nothing was run, so there is nothing to draft from\n"
        f"{records / 'sign.yaml'}: mindspore.mint.sign\n"
    )
    assert sorted(path.name for path in records.iterdir()) == ["Tensor", "sign.yaml"]
    found = load.read_record(records / "sign.yaml").item
    # What to write instead was tried, and stands in the sentence and in a check.
    (caveat,) = found.caveats
    way = "mindspore.mint.sign(x.float()).astype(x.dtype)"
    assert way in caveat.text.en
    assert way in caveat.text.zh
    assert found.checks[-1].mindspore == "{{ torch.sign(i.float()) }}.astype(i.dtype)"
    again = draft(data, "torch.flip", "torch.sign")
    assert (again.returncode, again.stderr) == (
        1, f"msmap: {records / 'sign.yaml'} is there already; --force replaces it\n",
    )  # fmt: skip
    assert not (records / "flip.yaml").exists()


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
    # What its record does with samples is found too.
    (kept,) = (data / "probes").glob("*.jsonl")
    (probed,) = map(json.loads, kept.read_text().splitlines())
    assert probed["candidates"][0]["target"] == {"api": "mindspore.mint.flip"}
    assert probed["candidates"][0]["found"] == "record"
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
