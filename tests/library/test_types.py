"""What others get of the library's types: `mypy --strict` on a project that uses all of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import msmap
from msmap.query.knowledge_base import KnowledgeBase

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONSUMER = HERE / "consumer.py"
# What the library asks of itself: methods of a base that serve code which reads code.
INSIDE = {
    "api", "apis", "close", "ever", "find", "forget", "found_as", "is_mindspore", "mapped",
    "methods", "mindspore_dtype", "mindspore_name", "namesakes", "on", "others", "probe",
    "remembered", "returns", "siblings", "telling", "torch_kind", "unrecorded",
}  # fmt: skip


def test_no_any_comes_out_of_the_library(tmp_path: Path) -> None:
    """Neither in a signature nor in what an expression gives."""
    done = subprocess.run(
        [
            sys.executable, "-m", "mypy", "--strict", "--disallow-any-expr", "--no-error-summary",
            "--config-file=", "--follow-imports", "silent", "--cache-dir", tmp_path,
            CONSUMER,
        ],
        cwd=tmp_path, env=os.environ | {"MYPYPATH": str(ROOT / "kb")}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_project_uses_all_of_a_base() -> None:
    text = CONSUMER.read_text(encoding="utf-8")
    public = {name for name in vars(KnowledgeBase) if not name.startswith("_")}
    used = set(re.findall(r"\bkb\.(\w+)", text)) | {"open"}
    assert public - used - INSIDE == set()


def test_the_project_uses_all_that_the_package_names() -> None:
    text = CONSUMER.read_text(encoding="utf-8")
    assert [name for name in msmap.__all__ if not re.search(rf"\b{name}\b", text)] == []


def test_both_packages_say_that_they_are_typed() -> None:
    for package in ("kb/msmap", "cli/msmap_cli", "datasette_plugins/datasette_msmap"):
        assert (ROOT / package / "py.typed").is_file()
