"""What lint prints to be pasted: it is YAML of the right depth, and it mends what was wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tests.lint.test_rules import lint, prepare

from msmap.curated import schema
from msmap.lint import mend
from msmap.problems import Problem

RECORD = schema.Record.model_validate(
    {
        "torch": "torch.tanh",
        "summary": {"en": "E.", "zh": "中。"},
        "targets": [{"api": "mindspore.ops.tanh"}],
        "checks": [{"id": "same", "torch": "torch.tanh(x)"}],
    }
)
CHECK = mend.check("no-2", 'torch.tanh("x")', target="mindspore.ops.tanh")


@pytest.mark.parametrize(
    ("where", "block", "expected"),
    [
        (
            ("checks",),
            False,
            [
                "  in `checks`:",
                r'  - {id: no-2, torch: "torch.tanh(\"x\")", target: mindspore.ops.tanh}',
            ],
        ),
        (
            ("caveats",),
            True,
            [
                "  in the file:",
                "caveats:",
                "  - id: no-2",
                r'    torch: "torch.tanh(\"x\")"',
                "    target: mindspore.ops.tanh",
            ],
        ),
        (
            ("targets", 0, "parameters"),
            False,
            [
                "  in `targets[0]`:",
                "    parameters:",
                r'      - {id: no-2, torch: "torch.tanh(\"x\")", target: mindspore.ops.tanh}',
            ],
        ),
    ],
)
def test_entries_are_as_deep_as_their_list_which_stands_above_them_if_it_is_new(
    where: mend.Where, block: bool, expected: list[str]
) -> None:
    assert mend.entries(RECORD, where, [CHECK], block).splitlines() == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("mindspore.nn.Tanh", "mindspore.nn.Tanh"),
        ("yes", '"yes"'),
        ("1.0", '"1.0"'),
        ("f(x, {y})", '"f(x, {y})"'),
        ("a\n#b", r'"a\n#b"'),
        (["a", "b-c"], "[a, b-c]"),
        ({"en": "TODO", "zh": "待写"}, "{en: TODO, zh: 待写}"),
    ],
)
def test_a_value_is_read_back_as_it_was(value: object, text: str) -> None:
    line = mend.key((), "k", value)
    assert (line, yaml.safe_load(line)) == (f"k: {text}", {"k": value})


def pasted(text: str, problem: Problem) -> str:
    """A file after someone has pasted the lines of a problem where they say."""
    lines, place = text.splitlines(), problem.line
    for said in problem.mend.splitlines():
        if not said.startswith("  in "):
            lines.insert(place, said)
            place += 1
        elif said == "  in the file:":
            place = len(lines)
        elif said == "  in `targets[0]`:":
            place = lines.index("targets:") + 2
        else:
            key = said.split("`")[1] + ":"
            place = next(n for n, line in enumerate(lines, 1) if line.strip() == key)
    return "\n".join([*lines, ""])


@pytest.mark.parametrize(
    ("rule", "record"),
    [
        ("parameter-accounted", "nn/Softmax"),
        ("parameter-accounted", "nn/Dropout"),
        ("difference-is-explained", "tanh"),
        ("dangerous-default-explained", "nn/Dropout"),
        ("caveat-is-shown", "tanh"),
        ("best-target-is-proved", "cat"),
    ],
)
def test_what_is_pasted_mends_what_was_wrong_but_for_what_a_person_must_write(
    rule: str, record: str, lint_cases: Path, data: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    path = prepare(lint_cases / rule, data) / "records" / "torch" / f"{record}.yaml"
    (problem, *_) = [p for p in lint(Path("data")) if p.path == path and p.mend]
    path.write_text(pasted(path.read_text(encoding="utf-8"), problem), encoding="utf-8")
    found = lint(Path("data"))
    assert problem.mend not in [p.mend for p in found]
    assert problem.message not in [p.message for p in found]
