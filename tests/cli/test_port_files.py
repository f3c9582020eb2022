"""`msmap port` of files and folders: diffs, files written, and what is said of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml
from tests.builders.commands import Done, Run

from msmap_cli import terminal

CODE = "import torch\nx = torch.cat([a])\ntorch.foo()\n"
COMMENT = "# msmap: torch.foo is no name of PyTorch that msmap knows; msmap lookup torch.foo\n"
DIFF = f"""\
--- a/a.py
+++ b/a.py
@@ -1,3 +1,5 @@
+import mindspore
 import torch
-x = torch.cat([a])
+x = mindspore.mint.cat([a])
+{COMMENT} torch.foo()
"""
HEAD = "file\tverified\ttold\tleft\t\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the test runs, with a file to port."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text(CODE, encoding="utf-8")
    return tmp_path


def test_a_diff_alone_is_on_standard_output(run: Run, here: Path) -> None:
    said = f"{HEAD}a.py\t1\t0\t1\t\n\t1\t0\t1\t1 file(s) read, 1 change; 0 not read\n"
    assert run("port", "a.py") == run("port", ".", "--diff") == Done(1, DIFF, said)
    assert (here / "a.py").read_text(encoding="utf-8") == CODE


def piped(database: Path, *arguments: str) -> bytes:
    """What a process of its own writes into a pipe."""
    return subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", *arguments],
        env=os.environ | {"MSMAP_DB": str(database)}, stdout=subprocess.PIPE, check=False,
    ).stdout  # fmt: skip


OTHERS = {
    "sub/b.py": b"# coding: latin-1\r\nfrom torch import cat\r\nx = cat(['\xe9'])  # \xfc",
    "sub/a b.py": b"import torch\n\x0c\ntorch.foo()",
    "c.ipynb": b'{"cells": [{"cell_type": "code", "source": [\n'
    b'"import torch\\n",\n"torch.foo(\xc3\xa9)"]}]}',
}


@pytest.mark.parametrize("command", [["patch", "-p1", "--binary"], ["git", "apply"]], ids=" ".join)
def test_what_the_diff_makes_is_what_is_written(
    run: Run, here: Path, command: list[str], database: Path
) -> None:
    (here / "sub").mkdir()
    for name, content in OTHERS.items():
        (here / name).write_bytes(content)
    files = [here / name for name in ("a.py", *OTHERS)]
    before = [path.read_bytes() for path in files]
    subprocess.run(command, input=piped(database, "port", "."), check=True, capture_output=True)
    patched = [path.read_bytes() for path in files]
    for path, content in zip(files, before, strict=True):
        path.write_bytes(content)
    assert run("port", ".", "--write").status == 1
    assert [path.read_bytes() for path in files] == patched
    assert not set(patched) & set(before)


def test_files_are_written_and_a_second_run_changes_nothing(run: Run, here: Path) -> None:
    ported = f"import mindspore\nimport torch\nx = mindspore.mint.cat([a])\n{COMMENT}torch.foo()\n"
    table = HEAD + "a.py\t1\t0\t1\twritten\n\t1\t0\t1\t1 file(s) read, 1 change; 0 not read\n"
    assert run("port", "a.py", "--write") == Done(1, table, "")
    assert (here / "a.py").read_text(encoding="utf-8") == ported
    table = (
        HEAD + "a.py\t0\t0\t1\tnothing changes\n\t0\t0\t1\t1 file(s) read, 0 change; 0 not read\n"
    )
    assert run("port", "a.py", "--write") == Done(1, table, "")
    assert run("port", "a.py", "--diff").out == ""
    assert (here / "a.py").read_text(encoding="utf-8") == ported


def test_both_shows_what_is_written(run: Run, here: Path) -> None:
    assert run("port", "a.py", "--write", "--diff").out == DIFF
    assert (here / "a.py").read_text(encoding="utf-8") != CODE


def test_what_git_does_not_have_is_written_if_wanted(run: Run, here: Path) -> None:
    subprocess.run(["git", "init", "-q"], check=True)
    row = "git doesn't have it as it is; commit it, or give --dirty\n"
    assert (
        run("port", "a.py", "--write").out.splitlines(keepends=True)[1] == f"a.py\t1\t0\t1\t{row}"
    )
    assert (here / "a.py").read_text(encoding="utf-8") == CODE
    assert run("port", "a.py", "--write", "--dirty").out.splitlines()[1] == "a.py\t1\t0\t1\twritten"


def test_notes_and_what_can_not_be_read_are_said_with_their_places(run: Run, here: Path) -> None:
    (here / "a.py").write_text("import torch\nx = torch.nn.Dropout(0.1, inplace=True)\n")
    (here / "b.py").write_text("print 'a'\n")
    (here / "c.py").write_bytes(b"\0")
    (here / "d.py").write_text("import os\n")
    cell = {"cell_type": "code", "source": "import torch\ntorch.nn.Dropout(0.1, inplace=True)"}
    (here / "e.ipynb").write_text(json.dumps({"cells": [{"cell_type": "raw"}, cell]}))
    os.symlink("f.py", "f.py")
    done = run("port", ".", "gone.py", "--write")
    assert done == Done(
        1,
        f"{HEAD}a.py\t0\t1\t0\twritten\ne.ipynb\t0\t1\t0\twritten\n"
        "\t0\t2\t0\t3 file(s) read, 2 change; 4 not read\n",
        "gone.py: there is no such file or folder\n"
        "f.py: a link that leads back to itself\n"
        "a.py:2:5: note: `inplace` is dropped\n"
        "b.py:1: Python 2, make it Python 3 first: Missing parentheses in call to 'print'."
        " Did you mean print(...)?\n"
        "c.py: it holds null bytes: binary, or UTF-16, which Python doesn't read\n"
        "e.ipynb:cell 1:2:1: note: `inplace` is dropped\n",
    )


@pytest.mark.parametrize(
    ("content", "status"),
    [
        ("import torch\ntorch.cat([a])\n", 0),
        ("", 0),
        ("import torch\ntorch.foo()\n", 1),
        ("x = (", 2),
    ],
    ids=repr,
)
def test_the_exit_status_tells(run: Run, here: Path, content: str, status: int) -> None:
    (here / "a.py").write_text(content, encoding="utf-8")
    assert run("port", "a.py").status == status


@pytest.mark.parametrize(
    ("arguments", "is_path"),
    [
        (["a.py"], True),
        (["gone.py"], True),
        (["gone/"], True),
        (["folder"], True),
        (["x", "y"], True),
        (["x"], False),
        (["folder.abs()"], False),
        (["-"], False),
    ],
    ids=str,
)
def test_what_is_a_path_and_what_is_code(
    run: Run, here: Path, arguments: list[str], is_path: bool
) -> None:
    (here / "folder").mkdir()
    assert (
        run("port", *arguments).err.startswith((HEAD, "gone", "folder: no", "x: there")) == is_path
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-", "a.py"], "-: code on standard input stands alone"),
        *(
            (
                ["x", *option],
                "--write, --dirty, --exclude and --scheduler are for files, and code is given",
            )
            for option in (["--write"], ["--scheduler", "tcp://head:8786"])
        ),
        (
            ["x.py", "--scheduler", "tcp://head:8786", "-j", "2"],
            "--scheduler: one file at a time is read by each worker, and --jobs is for here",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, arguments: list[str], said: str) -> None:
    assert run("port", *arguments) == Done(2, "", f"msmap: {said}\n")


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_data_fits_its_schema(run: Run, here: Path, form: str) -> None:
    (here / "b.py").write_text("x = (", encoding="utf-8")
    done = run("port", ".", "--format", form)
    found = json.loads(done.out) if form == "json" else yaml.safe_load(done.out)
    jsonschema.validate(found, json.loads(run("schema", "port-files").out))
    edits = [
        (e["line"], e["column"], e["end_line"], e["end_column"]) for e in found["files"][0]["edits"]
    ]
    assert (edits, found["files"][0]["written"], found["unread"][0]["kind"], done.status) == (
        [(1, 0, 1, 0), (2, 4, 2, 18), (3, 0, 3, 0)], False, "not_python", 1,
    )  # fmt: skip


def test_a_summary_in_markdown_and_in_chinese(run: Run, here: Path) -> None:
    assert run("port", ".", "--format", "markdown", "--lang", "zh").out == (
        "| 文件 | 已验证 | 有说明 | 未转换 |  |\n|---|--:|--:|--:|---|\n"
        "| `a.py` | 1 | 0 | 1 |  |\n"
        "|  | 1 | 0 | 1 | 共读取 1 个文件，其中 1 个有改动；0 个未能读取 |\n"
    )


def test_a_diff_has_colours_on_a_terminal_and_gives_it_no_orders(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    terminal.diff(["--- a/a\n", "+++ b/a\n", "@@ -1 +1 @@\n", "-\x1b[2J\n", "+--- b\r\n", " \tc\n"])
    assert capsys.readouterr().out == (
        "\x1b[1m--- a/a\x1b[0m\n\x1b[1m+++ b/a\x1b[0m\n\x1b[36m@@ -1 +1 @@\x1b[0m\n"
        "\x1b[1;31m-\\x1b[2J\x1b[0m\n\x1b[32m+--- b\\x0d\x1b[0m\n \tc\n"
    )
