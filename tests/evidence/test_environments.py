"""Evidence of other machines, merged into ours, and two environments compared."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from msmap.contracts import SHIPPED
from msmap.errors import UnknownEnvironment
from msmap.evidence import environments
from msmap.evidence import files as evidence
from msmap.evidence.environments import Change
from msmap.evidence.files import Line
from msmap_cli import main

LINUX = "torch-2.13.0_mindspore-2.10.0_cpu_linux-x86_64"
MAC = "torch-2.13.0_mindspore-2.10.0_cpu_darwin-arm64"
OURS = Path("data/evidence") / f"{LINUX}.jsonl"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``msmap evidence`` in a checkout with nine lines of evidence."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["msmap", "evidence", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        try:
            main.main()
        except SystemExit as left:
            return int(left.code or 0), *capsys.readouterr()
        return 0, *capsys.readouterr()

    return call


def changed(path: Path, check: str, **fields: object) -> list[Line]:
    """The lines of a file, one of them changed."""
    lines = evidence.read(path).values()
    return [replace(li, **fields) if li.check == check else li for li in lines]  # type: ignore[arg-type]


def test_merging_what_we_have_changes_nothing(run: Run) -> None:
    before = OURS.stat().st_mtime_ns
    assert run("merge", str(OURS)) == (0, f"{OURS}: 9 the same\n", "")
    assert OURS.stat().st_mtime_ns == before


def test_a_new_environment_is_copied(run: Run, tmp_path: Path) -> None:
    theirs = tmp_path / f"{MAC}.jsonl"
    theirs.write_bytes(OURS.read_bytes())
    assert run("merge", str(theirs)) == (0, f"{theirs}: 9 taken\n", "")
    assert (OURS.with_name(f"{MAC}.jsonl")).read_bytes() == theirs.read_bytes()


def test_shards_are_put_together(run: Run, tmp_path: Path) -> None:
    """Two machines ran a part each."""
    lines = list(evidence.read(OURS).values())
    whole = OURS.read_bytes()
    paths = [tmp_path / name / OURS.name for name in ("one", "two")]
    for path, part in zip(paths, (lines[:4], lines[4:]), strict=True):
        evidence.write(path, part)
    OURS.unlink()
    assert run("merge", *map(str, paths)) == (0, f"{paths[0]}: 4 taken\n{paths[1]}: 5 taken\n", "")
    assert OURS.read_bytes() == whole


@pytest.mark.parametrize(
    "fields",
    [{"hash": "000000000000", "outcome": "refuted"}, {"outcome": "inconclusive", "message": "?"}],
    ids=["out of date", "inconclusive"],
)
def test_a_line_of_ours_that_says_nothing_is_replaced(
    fields: dict[str, str], run: Run, tmp_path: Path
) -> None:
    theirs = tmp_path / OURS.name
    theirs.write_bytes(OURS.read_bytes())
    evidence.write(OURS, changed(OURS, "axis", **fields))
    assert run("merge", str(theirs)) == (0, f"{theirs}: 1 taken, 8 the same\n", "")
    assert OURS.read_bytes() == theirs.read_bytes()


def test_a_conflict_is_shown_and_ours_stays(run: Run, tmp_path: Path) -> None:
    """All else is merged."""
    theirs = tmp_path / OURS.name
    evidence.write(theirs, changed(OURS, "axis", outcome="refuted", message="no\nway"))
    whole = OURS.read_bytes()
    evidence.write(OURS, [line for line in evidence.read(OURS).values() if line.check != "all"])
    assert run("merge", str(theirs)) == (
        1,
        f"torch.cat: axis: ours | {theirs}\n"
        "  outcome  verified | refuted\n"
        "  message  - | no way\n"
        f"{theirs}: 1 taken, 7 the same, 1 in conflict\n",
        "msmap: 1 conflict(s): ours stay; `msmap verify NAME` runs a record anew\n",
    )
    assert OURS.read_bytes() == whole


def test_what_does_not_fit_todays_checks_is_left_out(run: Run, tmp_path: Path) -> None:
    before = OURS.read_bytes()
    theirs = tmp_path / OURS.name
    lines = [
        *changed(OURS, "axis", hash="000000000000"),
        Line("torch.cat", "gone", "000000000000", "verified"),
        Line("torch.gone", "all", "000000000000", "verified"),
    ]
    lines = [replace(li, outcome="inconclusive") if li.check == "all" else li for li in lines]
    evidence.write(theirs, lines)
    said = (
        f"{theirs}: 7 the same, 1 inconclusive and left out, "
        "1 of checks that changed since and left out, 2 of unknown checks and left out\n"
    )
    # torch.gone's line too became inconclusive: it is unknown first.
    assert run("merge", str(theirs)) == (0, said, "")
    assert OURS.read_bytes() == before


def test_nothing_is_merged_if_one_file_is_broken(run: Run, tmp_path: Path) -> None:
    good, broken = tmp_path / f"{MAC}.jsonl", tmp_path / OURS.name
    good.write_bytes(OURS.read_bytes())
    broken.write_bytes(OURS.read_bytes().replace(b'"verified"', b'"proved"', 1))
    before = OURS.read_bytes()
    status, out, err = run("merge", str(good), str(broken))
    assert (status, out, err.startswith(f"msmap: {broken}:2: not a line of evidence (")) == (
        1, "", True,
    )  # fmt: skip
    assert (OURS.read_bytes(), [p.name for p in OURS.parent.iterdir()]) == (before, [OURS.name])


@pytest.mark.parametrize("name", ["evidence.jsonl", f"{LINUX}.txt", "torch-2.13.0.jsonl"])
def test_a_file_is_named_after_its_environment(name: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(OURS.read_bytes())
    status, out, err = run("merge", str(path))
    assert (status, out) == (2, "")
    assert err.startswith(f"msmap: {path}: an evidence file is named after what it ran on, such")


@pytest.fixture
def other(checkout: Path) -> Path:
    """Evidence of a second environment, in which three checks differ and one has none."""
    path = OURS.with_name(f"{MAC}.jsonl")
    lines = {line.check: line for line in changed(OURS, "exact", gradient="none")}
    lines["axis"] = replace(lines["axis"], outcome="untestable", reason="no_kernel", gradient="")
    lines["position"] = replace(lines["position"], outcome="refuted", message="a | b")
    del lines["mint"]
    evidence.write(path, lines.values())
    return path


DIFF = f"""\
{LINUX} | {MAC}
torch.nn.Dropout: position
  outcome  diverges_documented | refuted
  message  - | a | b
torch.cat: axis
  outcome   verified | untestable
  reason    - | no_kernel
  gradient  agrees | -
torch.nn.GELU: exact
  gradient  agrees | none
torch.nn.GELU: mint: only in {LINUX}
3 differ, 5 the same, 1 only in {LINUX}, 0 only in {MAC}
"""
MARKDOWN = f"""\
| check | | {LINUX} | {MAC} |
|---|---|---|---|
| torch.nn.Dropout: position | outcome | diverges_documented | refuted |
| torch.nn.Dropout: position | message | - | a \\| b |
| torch.cat: axis | outcome | verified | untestable |
| torch.cat: axis | reason | - | no_kernel |
| torch.cat: axis | gradient | agrees | - |
| torch.nn.GELU: exact | gradient | agrees | none |
| torch.nn.GELU: mint | ran | yes | no |

3 differ, 5 the same, 1 only in {LINUX}, 0 only in {MAC}
"""


@pytest.mark.parametrize("first", [LINUX, "linux", "x86_64", str(OURS)])
def test_differences_are_listed_worst_first(first: str, run: Run, other: Path) -> None:
    assert run("diff", first, "darwin") == (0, DIFF, "")


def test_differences_as_markdown(run: Run, other: Path) -> None:
    assert run("diff", "linux", "darwin", "-f", "markdown") == (0, MARKDOWN, "")


def test_differences_as_json(run: Run, other: Path) -> None:
    """In the form that `msmap schema evidence-diff` prints."""
    status, out, err = run("diff", "darwin", "linux", "--format", "json")
    found = json.loads(out)
    schema = json.loads((SHIPPED / "evidence-diff.json").read_text(encoding="utf-8"))
    jsonschema.validate(found, schema)
    assert (status, err, found["only_first"], found["only_second"], found["same"]) == (
        0, "", [], [["torch.nn.GELU", "mint"]], 5,
    )  # fmt: skip
    assert found["changes"][2] == {
        "record": "torch.nn.GELU", "check": "exact", "fields": {"gradient": ["none", "agrees"]},
    }  # fmt: skip


def test_a_file_and_an_environment_of_the_same_name(
    run: Run, tmp_path: Path, checkout: Path
) -> None:
    """Told apart by their paths."""
    path = tmp_path / OURS.name
    evidence.write(path, changed(OURS, "axis", hash="000000000000"))
    hash_ = evidence.read(OURS)["torch.cat", "axis"].hash
    found = environments.compare(OURS, path)
    assert (found.environments, found.changes) == (
        (str(OURS), str(path)),
        (Change("torch.cat", "axis", {"hash": (hash_, "000000000000")}),),
    )


def test_an_unknown_environment_names_those_that_are_known(run: Run, other: Path) -> None:
    said = f'msmap: "torch-2.12" is no environment; known are:\n  {MAC}\n  {LINUX}\n'
    assert run("diff", "linux", "torch-2.12") == (2, "", said)


def test_a_part_of_several_names_is_ambiguous(run: Run, other: Path) -> None:
    said = f'msmap: "torch-2.13" means 2 environments:\n  {MAC}\n  {LINUX}\n'
    assert run("diff", "torch-2.13", "linux") == (2, "", said)


def test_without_evidence_no_environment_is_known(tmp_path: Path) -> None:
    with pytest.raises(UnknownEnvironment, match="known are: none"):
        environments.find(tmp_path / "nowhere", "linux")
