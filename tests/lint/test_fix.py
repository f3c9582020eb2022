"""What `msmap lint --fix` writes: the one layout, comments and all, and nothing that follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.curated import load
from msmap.lint import fix
from msmap.lint.fix import Known
from msmap.problems import DataError

ROOT = Path(__file__).resolve().parents[2]
FAMILY = """\
id: alike
about: {en: What is alike., zh: 同类 API。}
checks:
  same:
    torch: "{call x}"
    inputs: {x: "float32[3]"}
    gradient: false  # it has none
"""
# Comments above, beside, within and below; a name for several values; keys in any order.
BEFORE = """\
# Of all.
torch: torch.tanh
like: alike
checks:
  - {torch: 'torch.tanh(x)', id: same, inputs: {x: "float32[3]"}, gradient: false}  # of the entry
  # above an entry
  - id: two
    torch: "y = torch.tanh(x)\\ny"
    gradient: false   # why
    inputs: &shared
      x: 'float32[2]'
  - {inputs: *shared, torch: "torch.tanh(x)", id: 'three'}
  - id: same-as-family
    torch: |
      torch.tanh(x)  # no comment
targets:
  - api: mindspore.ops.tanh
summary:
  zh: 双曲正切。
  en: >-
    The hyperbolic
    tangent.
references:
  - {kind: doc, url: "https://pytorch.org/docs/stable/generated/torch.tanh.html"}
# The end.
"""
AFTER = """\
# Of all.
torch: torch.tanh
like: alike
summary: {en: The hyperbolic tangent., zh: 双曲正切。}
targets:
  - api: mindspore.ops.tanh
checks:
  - same  # of the entry
  # above an entry
  - id: two
    torch: |
      y = torch.tanh(x)
      y
    inputs: &shared {x: "float32[2]"}
    gradient: false  # why
  - {id: three, torch: torch.tanh(x), inputs: *shared}
  - {id: same-as-family, torch: "torch.tanh(x)  # no comment"}
# The end.
"""


def directory(folder: Path, record: str) -> Path:
    """A data directory with a record and a family; the record's file."""
    (folder / "families").mkdir()
    (folder / "families" / "alike.yaml").write_text(FAMILY, encoding="utf-8")
    path = folder / "records" / "torch" / "tanh.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(record, encoding="utf-8")
    return path


def test_a_file_is_written_in_the_one_layout(tmp_path: Path) -> None:
    path = directory(tmp_path, BEFORE)
    before = load.read_record(path).item
    fixed, problems = fix.fix(tmp_path, ["torch.tanh"], write=True)
    assert ([found.path for found in fixed], problems) == ([path], [])
    assert path.read_text(encoding="utf-8") == AFTER
    assert load.read_record(path).item == before


def test_a_second_time_nothing_changes(tmp_path: Path) -> None:
    directory(tmp_path, BEFORE)
    fix.fix(tmp_path, write=True)
    assert fix.fix(tmp_path, write=True) == ([], [])


def test_nothing_is_written_to_look_at(tmp_path: Path) -> None:
    path = directory(tmp_path, BEFORE)
    (found,) = [found for found in fix.fix(tmp_path, write=False)[0] if found.path == path]
    assert (found.before, found.after) == (BEFORE, AFTER)
    assert path.read_text(encoding="utf-8") == BEFORE


def test_what_the_family_says_goes_with_its_comment(tmp_path: Path) -> None:
    comment = "gradient: false  # it has none"
    record = BEFORE.replace(", gradient: false}  # of the entry", "}").replace(
        "  - id: same-as-family\n    torch: |\n      torch.tanh(x)  # no comment\n",
        f"  - id: another\n    like: same\n    torch: torch.tanh(x)\n    {comment}\n",
    )
    path = directory(tmp_path, record)
    fix.fix(tmp_path, ["torch.tanh"], write=True)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[1:3] == ["torch: torch.tanh", "like: alike"]
    assert lines[-2] == "  - {like: same, id: another}"


def test_what_would_lose_something_stays_and_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = directory(tmp_path, BEFORE)
    monkeypatch.setattr(fix, "_notes", lambda text: ({}, {}))
    fixed, problems = fix.fix(tmp_path, ["torch.tanh"], write=True)
    assert (fixed, [(p.path, p.rule) for p in problems]) == ([], [(path, "one-layout")])
    assert path.read_text(encoding="utf-8") == BEFORE


def test_what_cannot_be_read_is_not_written(tmp_path: Path) -> None:
    path = directory(tmp_path, BEFORE.replace("like: alike", "like: other"))
    with pytest.raises(DataError, match="no family is called `other`"):
        fix.mended(path, "records", path.read_text(encoding="utf-8"), Known(tmp_path))


@pytest.mark.parametrize("each", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_the_data_is_in_the_one_layout(each: int) -> None:
    """Comments are read slowly: quickly looked at are some of the files that have none."""
    known = Known(ROOT / "data")
    files = [(f, p) for f, paths in load.paths(ROOT / "data").items() for p in paths]
    wrong = []
    for folder, path in files[::each]:
        text = path.read_text(encoding="utf-8")
        looked = each == 1 or not fix.has_more(text)
        if looked and fix.mended(path, folder, text, known) != text:
            wrong.append(str(path.relative_to(ROOT)))
    assert wrong == [], "run `msmap lint --fix`"
