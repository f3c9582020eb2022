"""docs/github/action.yml: each of its steps, taken from the file and run in bash."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load(
    (ROOT / "docs" / "github" / "action.yml").read_text(encoding="utf-8")
)
INSTALL, SCAN = ACTION["runs"]["steps"]
EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


def stand_in(path: Path, *lines: str) -> None:
    """A program of a few lines of the shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/usr/bin/env bash", *lines, ""]), encoding="utf-8")
    path.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout that a workflow runs in, with a runner's folder beside it."""
    made = tmp_path / "project"
    made.mkdir()
    (made / "m.py").write_text("import torch\ntorch.jit.script(f)\n", encoding="utf-8")
    (made / "two words.py").write_text("import torch\ny = torch.cat([])\n", encoding="utf-8")
    return made


REAL = (f'exec "{sys.executable}" -m msmap_cli.main "$@"',)


def run(
    step: dict[str, Any], project: Path, database: Path, *, program: Sequence[str] = REAL,
    **inputs: str,
) -> Any:  # fmt: skip
    """A step as a runner runs it: expressions are filled in, and bash stops at what fails."""
    temp = project.parent / "temp"
    given = {name: str(one["default"]) for name, one in ACTION["inputs"].items()} | {
        name.replace("_", "-"): value for name, value in inputs.items()
    }
    values = {f"inputs.{name}": value for name, value in given.items()} | {
        "github.action_path": str(ROOT / "docs" / "github"),
        "runner.temp": str(temp),
    }
    assert EXPRESSION.search(step["run"]) is None, "what users give must not become a script"
    env = {
        name: EXPRESSION.sub(lambda found: values[found[1]], text)
        for name, text in step["env"].items()
    }
    stand_in(temp / "msmap" / "bin" / "msmap", *program)
    files = {name: str(temp / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project, env=os.environ | env | files | {"MSMAP_DB": str(database)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("inputs", "status"),
    [({}, 0), ({"fail_on": "missing"}, 1), ({"paths": "none.py"}, 1), ({"mindspore": "9"}, 2)],
    ids=str,
)
def test_a_project_is_scanned(
    inputs: dict[str, str], status: int, project: Path, database: Path
) -> None:
    done = run(SCAN, project, database, **inputs)
    assert done.returncode == status, done.stderr
    if status == 2:
        return
    temp = project.parent / "temp"
    output = (temp / "github_output").read_text(encoding="utf-8")
    assert output == f"sarif={temp / 'msmap.sarif'}\n"
    sarif = json.loads((temp / "msmap.sarif").read_text(encoding="utf-8"))
    assert sarif["version"] == "2.1.0"
    assert "# msmap scan" in (temp / "github_step_summary").read_text(encoding="utf-8")
    if not inputs:
        assert done.stdout.startswith("::error file=m.py,line=2,")


def told(*statuses: int) -> list[str]:
    """A program that writes down what it is asked, and ends with one of the statuses each time."""
    return [
        f"statuses=({' '.join(map(str, statuses))})",
        "touch asked",
        "number=$(wc -l < asked)",
        """printf '%q ' "$@" >> asked; echo >> asked""",
        'exit "${statuses[number]}"',
    ]


HERE = "--lang en ."


@pytest.mark.parametrize(
    ("inputs", "given", "last"),
    [
        ({}, HERE, HERE),
        ({"fail_on": "care,unclear"}, HERE, f"{HERE} --fail-on care\\,unclear"),
        ({"fail_on": "any", "paths": "two words.py"}, "--lang en two\\ words.py",
         "--lang en two\\ words.py --fail-on any"),
        ({"paths": "m.py\ntwo words.py\n", "device": "ascend", "language": "zh"},
         "--lang zh --device ascend m.py two\\ words.py",
         "--lang zh --device ascend m.py two\\ words.py"),
        ({"mindspore": "2.8"}, "--lang en --mindspore 2.8 .", "--lang en --mindspore 2.8 ."),
        ({"paths": "$(touch hacked); `touch hacked`"},
         r"--lang en \$\(touch\ hacked\)\;\ \`touch\ hacked\`",
         r"--lang en \$\(touch\ hacked\)\;\ \`touch\ hacked\`"),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_given_is_asked_as_it_is(
    inputs: dict[str, str], given: str, last: str, project: Path, database: Path
) -> None:
    done = run(SCAN, project, database, program=told(0, 0, 0), **inputs)
    assert done.returncode == 0, done.stderr
    asked = (project / "asked").read_text(encoding="utf-8").splitlines()
    sarif = project.parent / "temp" / "msmap.sarif"
    assert [line.rstrip() for line in asked] == [
        f"scan {given} --fail-on '' --format sarif --output {sarif}",
        f"scan {given} --fail-on '' --format markdown",
        f"scan {last} --format github",
    ]
    assert not (project / "hacked").exists()


@pytest.mark.parametrize(
    ("statuses", "status", "runs"),
    [((0, 0, 1), 1, 3), ((1, 1, 1), 1, 3), ((1, 1, 0), 0, 3), ((2,), 2, 1), ((0, 3), 2, 2)],
    ids=str,
)
def test_the_last_run_decides_unless_one_could_not_be(
    statuses: tuple[int, ...], status: int, runs: int, project: Path, database: Path
) -> None:
    """Status 1 of the first two is that of files that can't be read."""
    done = run(SCAN, project, database, program=told(*statuses))
    asked = (project / "asked").read_text(encoding="utf-8").splitlines()
    assert (done.returncode, len(asked)) == (status, runs)


def test_it_installs_the_checkout_that_it_stands_in(project: Path, database: Path) -> None:
    """With a Python that writes down what it is asked."""
    programs = project.parent / "programs"
    pip = project.parent / "temp" / "msmap" / "bin" / "pip"
    stand_in(programs / "python3", f'echo "$@" >> "{project}/asked"')
    stand_in(pip, f'echo "pip $@" >> "{project}/asked"')
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(programs), prepend=os.pathsep)
        done = run(INSTALL, project, database)
    assert done.returncode == 0, done.stderr
    asked = (project / "asked").read_text(encoding="utf-8").splitlines()
    assert asked[0] == f"-m venv {project.parent / 'temp' / 'msmap'}"
    *_, checkout = asked[1].split()
    assert (asked[1].startswith("pip install -q "), Path(checkout).resolve()) == (True, ROOT)


def test_every_input_is_used() -> None:
    text = str(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name} " not in text] == []
