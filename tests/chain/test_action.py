"""docs/github/action.yml: each of its steps, taken from the file and run in bash."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
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


def run(step: dict[str, Any], project: Path, database: Path, **inputs: str) -> Any:
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
    stand_in(
        temp / "msmap" / "bin" / "msmap", f'exec "{sys.executable}" -m msmap_cli.main "$@"'
    )  # fmt: skip
    files = {name: str(temp / name.lower()) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=project, env=os.environ | env | files | {"MSMAP_DB": str(database)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("inputs", "status"),
    [
        ({}, 0),
        ({"fail_on": "missing"}, 1),
        ({"fail_on": "care,unclear"}, 0),
        ({"fail_on": "any", "paths": "two words.py"}, 0),
        ({"paths": "m.py\ntwo words.py\n", "device": "ascend", "language": "zh"}, 0),
        ({"paths": "none.py"}, 1),
        ({"fail_on": "nonsense"}, 2),
        ({"mindspore": "9"}, 2),
        ({"paths": "$(touch hacked); `touch hacked`"}, 1),
    ],
    ids=str,
)
def test_a_project_is_scanned(
    inputs: dict[str, str], status: int, project: Path, database: Path
) -> None:
    done = run(SCAN, project, database, **inputs)
    assert done.returncode == status, done.stderr
    assert not (project / "hacked").exists()
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
