"""Cases of the rewriter, each a file: ``tests/fixtures/port/RULE/NAME.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders import cases

from msmap.port.rules import registry
from msmap.query.knowledge_base import KnowledgeBase

EVERY = sorted(cases.CASES.rglob("*.py"))
IDS = [f"{path.parent.name}/{path.stem}" for path in EVERY]


def test_each_folder_is_named_after_a_rule() -> None:
    rules = {one.name.partition(".")[0] for one in registry.every()}
    assert {path.parent.name for path in EVERY} <= rules


@pytest.mark.parametrize("path", EVERY, ids=IDS)
def test_what_becomes_of_it(path: Path, facts: KnowledgeBase) -> None:
    case = cases.read(path.read_text(encoding="utf-8"))
    port = facts.port(case.torch)
    assert port.code == case.mindspore
    assert cases.said(port) == case.said


@pytest.mark.parametrize("path", EVERY, ids=IDS)
def test_a_second_run_changes_nothing(path: Path, facts: KnowledgeBase) -> None:
    case = cases.read(path.read_text(encoding="utf-8"))
    if not _is_whole(case):
        pytest.skip("comments hold what stays: tests/port/test_reruns.py")
    assert facts.port(case.mindspore).code == case.mindspore


def _is_whole(case: cases.Case) -> bool:
    """Whether nothing of a program stays PyTorch's."""
    return all(kind == "differs" for _, kind in case.said)


@pytest.mark.frameworks
@pytest.mark.moving(4)
@pytest.mark.parametrize("path", EVERY, ids=IDS)
def test_both_sides_print_the_same(path: Path, tmp_path: Path) -> None:
    case = cases.read(path.read_text(encoding="utf-8"))
    if not _is_whole(case):
        pytest.skip("a part of it stays PyTorch's")
    printed = []
    for name, source in (("torch", case.torch), ("mindspore", case.mindspore)):
        program = tmp_path / f"with_{name}.py"
        program.write_text(source, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(program)], capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        printed.append(done.stdout)
    if not case.said:
        assert printed[1] == printed[0]
