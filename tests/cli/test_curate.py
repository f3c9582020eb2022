"""The command line for curators: what build and lint print, and where."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tests.builders.commands import Done, Run


def test_build_says_what_went_in(checkout: Path, run: Run) -> None:
    assert run("build", "--output", "new.db") == Done(
        0, "new.db: 6 records, 1 guides, 4 statements, 9 checks, 31 names\n", ""
    )
    assert run("lookup", "cat", MSMAP_DB="new.db").status == 0


def test_build_writes_where_commands_read(checkout: Path, run: Run) -> None:
    done = run("build", "--data", str(checkout), MSMAP_DB="mine.db")
    assert done.out.startswith("mine.db: 6 records")
    assert run("lookup", "cat").status == 0


@pytest.mark.parametrize(
    ("command", "files"),
    [(["build", "-o", "new.db"], ["build", "build"]), (["lint"], ["lint"])],
)
def test_build_and_lint_leave_what_they_made(
    command: list[str], files: list[str], checkout: Path, run: Run
) -> None:
    """Unless they are told not to; what they say is the same."""
    said = run(*command, "--no-cache", MSMAP_CACHE="kept")
    assert not Path("kept").exists()
    assert run(*command) == said
    assert [path.name.partition("-")[0] for path in Path("kept").iterdir()] == files
    assert run(*command) == said


def test_build_and_lint_outside_a_checkout_say_what_they_expect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    message = (
        "data:1: no data here: expected a directory `records` (run from a checkout, or --data) "
        "[schema]\nmsmap: 1 problem(s) in the data; nothing was changed\n"
    )
    assert run("build", "-o", "new.db") == Done(1, "", message)
    assert run("lint") == Done(1, "", message)
    assert run("lint", "--fix") == Done(1, "", message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("output", ["data", "data/LICENSE/msmap.db"])
def test_build_says_what_it_cannot_write(output: str, checkout: Path, run: Run) -> None:
    """A directory stands in the place of the file, or a file in that of a directory."""
    (checkout / "LICENSE").write_text("CC0", encoding="utf-8")
    done = run("build", "-o", output)
    assert (done.status, done.out, done.err.count("\n")) == (1, "", 1)
    assert done.err.startswith("msmap: ")
    assert output.removesuffix("/msmap.db") in done.err
    assert list(Path().rglob(".*.db*")) == []


HEAD = "torch: torch.tanh\nsummary: {en: E., zh: 中。}\n"
ONE_CHECK = HEAD + "targets:\n  - api: mindspore.ops.tanh\nchecks:\n  - id: one\n    torch: "
GUIDE_HEAD = "id: more\ntitle: {en: E., zh: 中。}\nsummary: {en: E., zh: 中。}\n"
SECTION = "sections:\n  - id: a\n    title: {en: E., zh: 中。}\n    text: {en: E., zh: 中。}\n"


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("records/torch/tanh.yaml", "", "1: the file is empty"),
        ("records/torch/tanh.yaml", HEAD + "colour: red\nmissing: {en: E., zh: 中。}\n",
         "3: unknown key `colour`"),
        ("records/torch/tanh.yaml", HEAD + "missing: {en: E.}\n",
         "3: key `missing.zh` is missing"),
        ("records/torch/tanh.yaml", HEAD + HEAD, "3: key `torch` stands twice"),
        ("records/torch/tanh.yaml", HEAD + "targets: [\n",
         "4: not YAML: did not find expected node content"),
        ("records/torch/tanh.yaml", HEAD + "missing: {en: E., zh: 中。}\ncaveats:\n  - id: A b\n",
         None),
        ("records/torch/tanh.yaml", HEAD, "1: file: a record has either targets or missing"),
        ("guides/more.yaml", GUIDE_HEAD + "records: []\n", "1: key `sections` is missing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("command", [["build", "-o", "new.db"], ["lint"]], ids=["build", "lint"])
def test_a_file_that_breaks_the_schema_is_named_with_its_line(
    command: list[str], file: str, text: str, problem: str | None, checkout: Path, run: Run
) -> None:
    """A problem of None: several, one a line, and their count at the end."""
    (checkout / file).write_text(text, encoding="utf-8")
    if problem is None:
        place = f"{checkout / file}"
        said = (
            f"{place}:5: caveats.0.id: 'A b': string should match pattern "
            "'^[a-z0-9][a-z0-9-]*$' [schema]\n"
            f"{place}:5: key `caveats.0.impact` is missing [schema]\n"
            f"{place}:5: key `caveats.0.text` is missing [schema]\n"
            "msmap: 3 problem(s) in the data; nothing was changed\n"
        )
    else:
        said = (
            f"{checkout / file}:{problem} [schema]\n"
            "msmap: 1 problem(s) in the data; nothing was changed\n"
        )
    assert run(*command) == Done(1, "", said)
    assert not Path("new.db").exists()


TANH = "records/torch/tanh.yaml"
NONSENSE = {
    "a check that isn't Python": (TANH, ONE_CHECK + "torch.tanh(\n", 6),
    "a check that can't be ported": (TANH, ONE_CHECK + "torch.relu(x)\n", 6),
    "a port inside a check that isn't Python": (
        TANH, ONE_CHECK + "torch.tanh(x)\n    mindspore: '{{ torch.tanh( }}'\n", 6,
    ),
    "an input without an end": (TANH, ONE_CHECK + "torch.tanh(x)\ninputs:\n  x: float32[2\n", 9),
    "an input with half a range": (
        TANH, ONE_CHECK + "torch.tanh(x)\ninputs:\n  x: float32[2] in 1\n", 9,
    ),
    "an overload without an end": (TANH, ONE_CHECK + "torch.tanh(x)\noverloads: ['(x']\n", 8),
    "a date that isn't one": (TANH, HEAD + "missing: {en: E., zh: 2020-13-45}\n", 3),
    "an anchor inside itself": (
        TANH, HEAD + "targets:\n  - &a {api: mindspore.ops.tanh, note: *a}\n", 4,
    ),
    "a value to set with an unknown placeholder": (
        TANH,
        HEAD + "targets:\n  - api: mindspore.ops.tanh\n    parameters:\n"
        "      - {mindspore: input, relation: target_only_must_set, value: '{nothing}'}\n"
        "checks:\n  - id: one\n    torch: torch.tanh(x)\n",
        6,
    ),
    "a returned value with an unknown placeholder": (
        TANH,
        HEAD + "targets:\n  - api: mindspore.ops.tanh\n"
        "    returns: {relation: type_differs, value: '{other}', text: {en: E., zh: 中。}}\n"
        "checks:\n  - id: one\n    torch: torch.tanh(x)\n",
        5,
    ),
    "a guide's check that isn't Python": (
        "guides/more.yaml",
        GUIDE_HEAD + SECTION + "    checks:\n      - id: c\n        torch: torch.cat(\n",
        9,
    ),
    "a guide's check that can't be ported": (
        "guides/more.yaml",
        GUIDE_HEAD + SECTION + "    checks:\n      - id: c\n        torch: torch.relu(x)\n",
        9,
    ),
    "a guide that is there already": (
        "guides/zz.yaml", GUIDE_HEAD.replace("more", "training") + SECTION, 1,
    ),
    "a signature file that isn't one": ("signatures/torch-2.14.0.jsonl", '{"name": 1}\n', 1),
    "a signature file that isn't UTF-8": ("signatures/torch-2.14.0.jsonl", "\udcff\n", 1),
    "a signature without an end": (
        "signatures/torch-2.14.0.jsonl",
        '{"name": "torch.cat", "kind": "function", "signatures": ["(x"]}\n',
        1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("command", [["build", "-o", "new.db"], ["lint"]], ids=["build", "lint"])
def test_content_that_makes_no_sense_is_named_with_its_line(
    command: list[str], nonsense: str, checkout: Path, run: Run
) -> None:
    """Whatever is wrong: a line that starts with file and line, status 1, and no traceback."""
    file, text, line = NONSENSE[nonsense]
    (checkout / file).write_bytes(text.encode("utf-8", "surrogateescape"))
    done = run(*command)
    said = [text.removeprefix("msmap: ") for text in (done.out + done.err).splitlines()]
    assert done.status == 1
    assert [text for text in said if text.startswith(f"{checkout / file}:{line}: ")] != []
    assert not Path("new.db").exists()


@pytest.mark.parametrize("text", [b"<<<<<<< HEAD\n", b"\xff\n"], ids=["a conflict", "no UTF-8"])
def test_a_broken_line_of_evidence_is_named_and_the_rest_is_used(
    text: bytes, checkout: Path, run: Run
) -> None:
    """A database is made all the same; lint fails, so that it is mended."""
    (checkout / "evidence/here.jsonl").write_bytes(text)
    built, linted = run("build", "-o", "new.db"), run("lint")
    named = f"{checkout / 'evidence/here.jsonl'}:1: "
    assert (built.status, linted.status) == (0, 1)
    assert [named in said for said in (built.err, linted.out + linted.err)] == [True, True]
    assert Path("new.db").exists()


def test_lint_names_a_check_without_code(checkout: Path, run: Run) -> None:
    text = ONE_CHECK + "'# nothing'\n"
    (checkout / "records/torch/tanh.yaml").write_text(text, encoding="utf-8")
    done = run("lint", "torch.tanh")
    assert done.status == 1
    assert re.search(
        r"^data/records/torch/tanh.yaml:[67]: check `one`.*names-are-known", done.out, re.M
    )


def test_an_input_that_is_wrong_is_one_problem_in_plain_words(checkout: Path, run: Run) -> None:
    text = ONE_CHECK + "torch.tanh(x)\ninputs:\n  x: float32[2\n"
    (checkout / "records/torch/tanh.yaml").write_text(text, encoding="utf-8")
    said = run("lint").err.splitlines()
    assert len(said) == 2
    assert said[0].startswith("data/records/torch/tanh.yaml:9: inputs.x: 'float32[2': ")


def test_lint_of_sound_records_says_so(checkout: Path, run: Run) -> None:
    assert run("lint") == Done(0, "", "no problems\n")


def test_lint_prints_problems_with_file_line_and_rule(checkout: Path, run: Run) -> None:
    """All, those of the records named, and those of rules that aren't skipped."""
    for name in ("cat", "jit/script"):
        path = checkout / "records" / "torch" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8") + "guides: [nowhere]\n"
        path.write_text(text, encoding="utf-8")
    cat = "data/records/torch/cat.yaml:24: no guide `nowhere` [guides-exist]\n"
    script = "data/records/torch/jit/script.yaml:8: no guide `nowhere` [guides-exist]\n"
    assert run("lint") == Done(1, cat + script, "msmap: 2 problem(s)\n")
    assert run("lint", "torch.jit.script") == Done(1, script, "msmap: 1 problem(s)\n")
    assert run("lint", "torch.nn.GELU") == Done(0, "", "no problems\n")
    assert run("lint", "--skip", "guides-exist") == Done(0, "", "no problems\n")


def test_lint_writes_files_in_the_one_layout_or_shows_how(checkout: Path, run: Run) -> None:
    """Nothing is written to look at; what is written needs nothing more."""
    path = checkout / "records" / "torch" / "jit" / "script.yaml"
    assert run("lint", "--fix").status == 0
    before = path.read_text(encoding="utf-8")
    path.write_text(before.replace("torch: torch.jit.script", "torch: 'torch.jit.script'  # a"))
    shown = run("lint", "--fix", "--diff", "torch.jit.script")
    assert (shown.status, shown.err) == (1, "msmap: 1 file(s) would be written\n")
    assert shown.out.splitlines()[2:5] == [
        "@@ -1,3 +1,3 @@",
        "-torch: 'torch.jit.script'  # a",
        "+torch: torch.jit.script  # a",
    ]
    name = "data/records/torch/jit/script.yaml\n"
    assert run("lint", "--fix") == Done(0, name, "1 file(s) written\n")
    assert path.read_text(encoding="utf-8") == before.replace(".script\n", ".script  # a\n", 1)
    assert run("lint", "--fix") == Done(0, "", "nothing to fix\n")


def test_lint_prints_what_mends_a_problem_below_it_or_as_a_field(checkout: Path, run: Run) -> None:
    path = checkout / "records" / "torch" / "cat.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("- id: last", "- id: new"), encoding="utf-8")
    said = "data/records/torch/cat.yaml:17: check `new` was never run [evidence-is-current]"
    done = run("lint", "torch.cat")
    assert done.out.splitlines() == [said, "  msmap verify torch.cat"]
    problem = {
        "path": "data/records/torch/cat.yaml",
        "line": 17,
        "message": "check `new` was never run",
        "rule": "evidence-is-current",
        "mend": "  msmap verify torch.cat",
    }
    asked = run("lint", "torch.cat", "--format", "json")
    assert (asked.status, json.loads(asked.out)) == (1, {"problems": [problem]})


@pytest.mark.parametrize("form", ["json", "github", "sarif"])
def test_a_file_that_cannot_be_read_is_in_the_report_too(
    form: str, checkout: Path, run: Run
) -> None:
    """Whoever reads a report, a code host or an editor, would take an empty one for a pass."""
    place = checkout / "records/torch/tanh.yaml"
    place.write_text("targets: [\n", encoding="utf-8")
    done = run("lint", "--format", form)
    assert (done.status, done.err) == (1, "msmap: 1 problem(s)\n")
    said = "not YAML: did not find expected node content"
    if form == "github":
        assert done.out == f"::error file={place},line=2,title=msmap lint%3A schema::{said}\n"
    elif form == "json":
        problem = {"path": str(place), "line": 2, "message": said, "rule": "schema", "mend": ""}
        assert json.loads(done.out) == {"problems": [problem]}
    else:
        (result,) = json.loads(done.out)["runs"][0]["results"]
        (location,) = result.pop("locations")
        assert location["physicalLocation"]["region"] == {"startLine": 2}
        assert result == {
            "ruleId": "schema",
            "ruleIndex": 0,
            "level": "error",
            "message": {"text": said},
        }


@pytest.mark.parametrize(
    "arguments", [["torch.nn.Droput"], ["--skip", "no-such-rule"]], ids=" ".join
)
def test_lint_does_not_give_the_all_clear_for_what_is_not_there(
    arguments: list[str], checkout: Path, run: Run
) -> None:
    """A misspelt record or rule is an error that names it."""
    done = run("lint", *arguments)
    assert done.status != 0
    assert arguments[-1] in done.err


def test_lint_lists_its_rules(run: Run) -> None:
    done = run("lint", "--rules")
    lines = done.out.splitlines()
    assert (done.status, done.err, lines) == (0, "", sorted(lines))
    assert lines[1] == (
        "best-target-is-proved: The port to each target is executed by a check that expects the "
        "same outcome."
    )
