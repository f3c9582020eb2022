"""`msmap scan`: what it prints, when it fails, and what a project asks of it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.builders.commands import Done, Run

from msmap import contracts

CODE = """\
import torch

x = torch.cat([a, b])
f = torch.jit.script(g)
def h(y):
    return y.size(0)
"""
FOUND = """\
1 file(s), 3 places that use PyTorch or may
  1 no counterpart (33 %)
  0 needs care (0 %)
  1 not understood (33 %)
  1 ports as is (33 %)
  of them certain 2, possible 1, unknown 0
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file, which is the current one."""
    (tmp_path / "m.py").write_text(CODE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_this_folder_is_scanned_where_none_is_named(run: Run) -> None:
    done = run("scan")
    assert (done.status, done.err, done.out.startswith(FOUND)) == (0, "", True)
    assert run("scan", "m.py").out == done.out


def test_json_is_what_the_schema_says(run: Run) -> None:
    answer = json.loads(run("scan", "--format", "json").out)
    jsonschema.validate(answer, contracts.schemas()["scan"])
    assert [(site["line"], site["status"], site["rule"]) for site in answer["sites"]] == [
        (3, "ready", ""), (4, "missing", "missing"), (6, "unclear", "possible"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "status"),
    [("care", 0), ("missing", 1), ("possible", 1), ("care,unclear", 1), ("any", 1), ("missing ", 1),
     ("removable", 0), ("possible, note", 1)],
)  # fmt: skip
def test_it_fails_on_what_was_named(run: Run, words: str, status: int) -> None:
    assert run("scan", "--fail-on", words).status == status


def test_what_the_baseline_knows_fails_no_more(run: Run, project: Path) -> None:
    done = run("scan", "--write-baseline", "known.json")
    assert (done.status, done.err) == (0, "msmap: known.json: 2\n")
    again = run("scan", "--baseline", "known.json", "--fail-on", "any")
    assert (again.status, again.out.splitlines()[-1]) == (0, "2 more are in the baseline")
    (project / "m.py").write_text(f"{CODE}\ntorch.jit.script(k)\n", encoding="utf-8")
    assert run("scan", "--baseline", "known.json", "--fail-on", "any").status == 1


def test_a_project_says_what_it_wants(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text(
        '[tool.msmap]\nexclude = ["old"]\nfail-on = ["missing"]\n', encoding="utf-8"
    )
    (project / "old").mkdir()
    (project / "old" / "o.py").write_text("print 1", encoding="utf-8")
    done = run("scan")
    assert (done.status, done.out.startswith(FOUND)) == (1, True)
    assert run("scan", "--fail-on", "care").status == 0


def test_what_cannot_be_read_is_told_and_the_rest_goes_on(run: Run, project: Path) -> None:
    (project / "old.py").write_text("print 'x'\n", encoding="utf-8")
    done = run("scan", ".", "absent")
    assert done.status == 1
    assert "2 file(s), 3 places" in done.out
    assert "\n2 not read\n  absent: there is no such file" in done.out
    assert "\n  old.py:1: Python 2" in done.out


def test_a_report_is_written_to_a_file(run: Run, project: Path) -> None:
    done = run("scan", "-f", "html", "-o", "scan.html", "--lang", "zh")
    assert done == Done(0, "", "msmap: scan.html\n")
    assert (project / "scan.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_a_second_run_says_the_same(run: Run, tmp_path: Path) -> None:
    kept = {"MSMAP_CACHE": str(tmp_path / "cache")}
    first = run("scan", "m.py", **kept)
    assert (tmp_path / "cache" / "scan").is_dir()
    assert run("scan", "m.py", **kept) == first
    assert run("scan", "m.py", "--no-cache", **kept) == first


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fail-on", "odd"], 'msmap: --fail-on "odd": one of any, care, missing,'),
        (["--baseline", "absent.json"], "msmap: absent.json: No such file or directory; `msmap"),
        (["--baseline", "m.py"], "msmap: m.py: no baseline; `msmap scan PATH --write-baseline"),
        (["--mindspore", "9.9"], "msmap: "),
    ],
)
def test_wrong_usage_says_what_would_be_right(run: Run, arguments: list[str], said: str) -> None:
    done = run("scan", *arguments)
    assert (done.status, done.out, done.err.startswith(said)) == (2, "", True)


def test_wrong_settings_are_named(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.msmap]\nfail_on = []\n", encoding="utf-8")
    done = run("scan")
    assert (done.status, "tool.msmap.fail_on: one of exclude, fail-on" in done.err) == (2, True)


def test_the_hook_runs_a_command_that_there_is(run: Run) -> None:
    path = Path(__file__).resolve().parents[2] / ".pre-commit-hooks.yaml"
    (hook,) = yaml.safe_load(path.read_text(encoding="utf-8"))
    command, *arguments = hook["entry"].split()
    assert (command, run(*arguments, "m.py").status) == ("msmap", 0)
