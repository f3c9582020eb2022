"""Standard streams that are full, closed, or can't take every character: no traceback."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders.commands import Done, Run

FULL = "msmap: standard output: No space left on device; free some space there\n"
CLOSED = "msmap: standard output: closed\n"
# A stored page, what is rendered, data, and what typer itself prints.
COMMANDS = [["lookup", "cat"], ["list"], ["lookup", "cat", "-f", "json"], ["--help"]]


def shell(line: str, arguments: list[str], database: Path, **environment: str) -> Done:
    """What a shell gets from ``msmap`` followed by redirections."""
    script = f'"{sys.executable}" -m msmap_cli.main "$@" {line}'
    done = subprocess.run(
        ["/bin/sh", "-c", script, "sh", *arguments], capture_output=True, check=False,
        env=os.environ | {"MSMAP_DB": str(database)} | environment,
    )  # fmt: skip
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
@pytest.mark.parametrize(("line", "err"), [(">/dev/full", FULL), (">&-", CLOSED)])
def test_what_can_not_be_written_is_an_error(
    line: str, err: str, arguments: list[str], database: Path
) -> None:
    assert shell(line, arguments, database) == Done(1, "", err)


@pytest.mark.parametrize("line", [">/dev/full", ">&-"])
def test_what_prints_nothing_needs_no_standard_output(line: str, database: Path) -> None:
    done = shell(line, ["lookup", "zzzzzzzzzz"], database)
    assert done == Done(1, "", 'msmap: "zzzzzzzzzz" is not a name of PyTorch or MindSpore\n')


@pytest.mark.parametrize("line", ["2>/dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["lookup", "zzzzzzzzzz"], 1), (["lookup", "--odd"], 2), (["port", "x +"], 2)],
    ids=str,
)
def test_without_standard_error_the_status_tells(
    arguments: list[str], status: int, line: str, database: Path
) -> None:
    assert shell(line, arguments, database) == Done(status, "", "")


def test_without_standard_input_there_are_no_names(database: Path) -> None:
    done = shell("<&-", ["lookup", "-"], database)
    assert done == Done(2, "", "msmap: no names on standard input\n")


def test_bytes_that_are_no_text_are_a_name_that_is_not_known(database: Path) -> None:
    done = shell("<<E\n\udcff\nE", ["lookup", "-"], database)
    said = 'msmap: "\\udcff" is not a name of PyTorch or MindSpore\n'
    assert (done.status, done.out, done.err.startswith(said)) == (1, "", True)


ASCII = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}


@pytest.mark.parametrize("arguments", [["lookup", "cat"], ["list", "-f", "markdown"]], ids=" ".join)
def test_what_an_encoding_lacks_is_shown_as_escapes(
    arguments: list[str], database: Path, run: Run
) -> None:
    done = shell("", arguments, database, **ASCII)
    out = run(*arguments).out.encode("ascii", "backslashreplace").decode()
    assert done == Done(0, out, "")


def test_json_stays_json_in_every_encoding(database: Path, run: Run) -> None:
    arguments = ["lookup", "cat", "-f", "json"]
    done = shell("", arguments, database, **ASCII)
    assert json.loads(done.out) == json.loads(run(*arguments).out)


def test_a_full_disk_leaves_the_database_as_it_was(data: Path, tmp_path: Path) -> None:
    """The limit on the size of a file stands for the end of the disk."""
    path = tmp_path / "msmap.db"
    path.write_text("as it was")
    done = subprocess.run(
        [sys.executable, "-m", "msmap_cli.main", "build", "--data", data, "-o", path],
        capture_output=True, encoding="utf-8", check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)),
    )  # fmt: skip
    assert (done.returncode, done.stdout, path.read_text()) == (1, "", "as it was")
    assert done.stderr.startswith(f"msmap: {path} could not be written (")
    assert done.stderr.endswith(
        "); free some space there, or name another place with --output;"
        " what was there is as it was\n"
    )
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_no_file_is_not_replaced(
    kind: str, checkout: Path, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "taken"
    path.mkdir() if kind == "directory" else os.mkfifo(path)
    assert run("build", "--data", str(checkout), "-o", str(path)) == Done(
        1, "", f"msmap: {path} is not a file that a database could replace\n"
    )
