"""Families: what they say is put into each record, with file and line in every complaint."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.curated import families, folding, load
from msmap.curated.schema import Record
from msmap.problems import DataError

FAMILY = """\
id: changed
about: {en: What changes its input., zh: 原地修改的 API。}
values:
  arguments: ""
  limits: 0..1
  rows: [[1, 2]]
  instead:
parameters:
  kept: {torch: "{receiver}", mindspore: "{receiver}", relation: same}
targets:
  copy:
    id: copy-{function}
    parameters: [kept]
    note: {en: It is copied., zh: 复制回去。}
caveats:
  views:
    impact: silent
    text: {en: "Write t[:] = {instead} for {call t}.", zh: "{call t} 应写成 t[:] = {instead}。"}
    shown_by: [view]
checks:
  plain: {torch: "{call x}", inputs: {x: "float32[2] in {limits}"}}
  view:
    torch: "{call b[0]}"
    inputs: {b: {values: "{rows}", dtype: float32}}
    expect: differs
"""
RECORD = """\
torch: torch.Tensor.add_
like: changed
with: {instead: t.add(), rows: [[5]]}
summary: {en: Adds., zh: 相加。}
targets:
  - {like: copy, expression: "{self}.copy_({self})"}
caveats: [views]
checks:
  - plain
  - {like: view, with: {arguments: "2"}, expect: null, gradient: false}
  - {like: plain, id: another, inputs: {x: "int64[1]"}}
"""
WRITTEN = """\
torch: torch.Tensor.add_
summary: {en: Adds., zh: 相加。}
targets:
  - id: copy-add
    expression: "{self}.copy_({self})"
    parameters: [{torch: self, mindspore: self, relation: same}]
    note: {en: It is copied., zh: 复制回去。}
caveats:
  - id: views
    impact: silent
    text: {en: "Write t[:] = t.add() for t.add_().", zh: "t.add_() 应写成 t[:] = t.add()。"}
    shown_by: [view]
checks:
  - {id: plain, torch: x.add_(), inputs: {x: "float32[2] in 0..1"}}
  - {id: view, torch: "b[0].add_(2)", inputs: {b: {values: [[5]], dtype: float32}}, gradient: false}
  - {id: another, torch: x.add_(), inputs: {x: "int64[1]"}}
"""


def written(folder: Path, record: str = RECORD, family: str = FAMILY) -> Path:
    """A data directory with a record and a family; the record's file."""
    (folder / "families").mkdir()
    (folder / "families" / "changed.yaml").write_text(family, encoding="utf-8")
    path = folder / "records" / "torch" / "Tensor" / "add_.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(record, encoding="utf-8")
    return path


def read(folder: Path, record: str = RECORD, family: str = FAMILY) -> Record:
    return load.read_record(written(folder, record, family)).item


def test_a_record_is_read_as_if_it_said_what_its_family_does(tmp_path: Path) -> None:
    path = tmp_path / "whole.yaml"
    path.write_text(WRITTEN, encoding="utf-8")
    assert read(tmp_path) == load.read_record(path).item


def test_a_function_is_called_on_its_first_argument(tmp_path: Path) -> None:
    made = read(tmp_path, RECORD.replace("torch.Tensor.add_", "torch.add_"))
    assert [check.torch for check in made.checks[:2]] == ["torch.add_(x)", "torch.add_(b[0], 2)"]
    assert [row.torch for row in made.targets[0].parameters] == ["input"]


@pytest.mark.parametrize(
    ("before", "after", "line", "message"),
    [
        ("like: changed", "like: other", 2, "no family is called `other`"),
        ("- plain", "- plane", 9, "no `plane` under `checks` of changed"),
        ("instead: t.add(), ", "", 7, "`{instead}` has no value: write `with: {instead: ...}`"),
        ("rows: [[5]]", "row: 1", 3, "`with`: no family of this record has a value `row`"),
        ("rows: [[5]]", "limits: [1]", 9, "`{limits}` stands in a text, and is no text"),
    ],
)
def test_what_a_family_has_not_is_told_of_the_records_line(
    tmp_path: Path, before: str, after: str, line: int, message: str
) -> None:
    path = written(tmp_path, RECORD.replace(before, after))
    with pytest.raises(DataError) as error:
        load.read_record(path)
    told = [(p.path, p.line, p.message) for p in error.value.problems]
    assert told == [(path, line, message)]


def test_what_is_wrong_in_a_family_is_told_of_the_familys_line(tmp_path: Path) -> None:
    path = written(tmp_path, family=FAMILY.replace("expect: differs", "gradient: 7"))
    path.write_text(RECORD.replace("gradient: false", "id: view"), encoding="utf-8")
    with pytest.raises(DataError) as error:
        load.read_record(path)
    told = [(p.path.name, p.line, p.message) for p in error.value.problems]
    assert [place[:2] for place in told] == [("changed.yaml", 25)]


def test_lines_are_those_of_what_says_it(tmp_path: Path) -> None:
    loaded = load.read_record(written(tmp_path))
    places = [
        ("checks", 1), ("checks", 1, "gradient"), ("checks", 1, "torch"), ("caveats", 0, "text"),
        ("with", "rows"), ("targets", 0, "parameters", 0, "relation"),
    ]  # fmt: skip
    found = [(path.name, line) for path, line in (loaded.at(*place) for place in places)]
    assert found == [
        ("add_.yaml", 10), ("add_.yaml", 10), ("changed.yaml", 23), ("changed.yaml", 18),
        ("add_.yaml", 3), ("changed.yaml", 9),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("expect: differs", "expects: differs", "unknown key `checks.view.expects`"),
        (FAMILY[FAMILY.index("parameters:") :], "", "has targets, parameters, caveats or checks"),
    ],
)
def test_a_family_is_checked_by_itself(
    tmp_path: Path, before: str, after: str, message: str
) -> None:
    path = written(tmp_path, family=FAMILY.replace(before, after))
    path.unlink()
    with pytest.raises(DataError, match=message):
        load.load(tmp_path)


def test_what_a_family_says_is_left_to_it(tmp_path: Path) -> None:
    """A whole record is written like the family, and read as before."""
    known = load.sources({tmp_path / "changed.yaml": FAMILY.encode()})
    data = load.plain(tmp_path, WRITTEN)
    made = folding.folded(data, [known["changed"].item])
    assert made == {
        "torch": "torch.Tensor.add_",
        "like": "changed",
        "with": {"rows": [[5]], "instead": "t.add()"},
        "summary": {"en": "Adds.", "zh": "相加。"},
        "targets": [{"like": "copy", "expression": "{self}.copy_({self})"}],
        "caveats": ["views"],
        "checks": [
            "plain",
            {"like": "view", "torch": "b[0].add_(2)", "gradient": False, "expect": None},
            {"id": "another", "torch": "x.add_()", "inputs": {"x": "int64[1]"}},
        ],
    }


def test_what_is_unlike_stays_as_it_is(tmp_path: Path) -> None:
    known = load.sources({tmp_path / "changed.yaml": FAMILY.encode()})
    data = {"torch": "torch.f", "summary": {}, "checks": [{"id": "other", "torch": "f(x)"}]}
    assert folding.nearest(data, [known["changed"].item]) == data


def test_an_entry_is_filled_for_a_name(tmp_path: Path) -> None:
    known = load.sources({tmp_path / "changed.yaml": FAMILY.encode()})
    made = folding.entry(known["changed"].item, "targets", "copy", "torch.f_", receiver="tensor")
    assert made["parameters"] == [{"torch": "tensor", "mindspore": "tensor", "relation": "same"}]
    assert made["id"] == "copy-f"
    with pytest.raises(KeyError):
        folding.entry(known["changed"].item, "caveats", "views", "torch.f_")


def test_a_placeholder_of_others_stays() -> None:
    assert families.filled("{self} {{ {call x} }}", "torch.Tensor.f_", lambda name: None) == (
        "{self} {{ x.f_() }}"
    )
