"""What Tab completes, and that the shells take it."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from msmap_cli import completable, completing, scripts, words
from msmap_cli.commands.completion import Shell


@pytest.fixture(autouse=True)
def _base(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMAP_DB", str(database))


@pytest.mark.parametrize(
    ("line", "found"),
    [
        # Names, in every spelling, up to their next dot.
        ("nn.Dro", ["nn.Dropout"]),
        ("torch.nn.Dro", ["torch.nn.Dropout"]),
        ("torch.n", ["torch.nn."]),
        ("lookup mindspore.ops.c", ["mindspore.ops.concat"]),
        ("lookup ops.conc", ["ops.concat"]),
        ("lookup Tensor.s", ["Tensor.size"]),
        ("lookup GEL", ["GELU"]),
        ("lookup zz", []),
        ("lookup ms", ["ms.", "msnn."]),
        # Commands, and names beside them.
        ("sca", ["scan"]),
        ("help sca", ["scan"]),
        ("evidence ", ["diff", "merge", "show"]),
        ("--lang zh sear", ["search"]),
        # Options and their values.
        ("lookup --for", ["--format"]),
        ("cat --ver", ["--verbose"]),
        ("lookup cat --format ", ["text", "json", "yaml", "markdown"]),
        ("lookup --format=m", ["--format=markdown"]),
        ("lookup -d a", ["ascend"]),
        ("list --category id", ["identical"]),
        ("list --verification verified_f", ["verified_forward_only"]),
        ("--color ", ["auto", "always", "never"]),
        ("drift 2", ["2.10.0"]),
        # What has other names.
        ("guide tr", ["training"]),
        ("open trai", ["training"]),
        ("claims mo", ["modes"]),
        ("claims --source ma", ["manual"]),
        ("claims --verdict h", ["holds", "held_until"]),
        ("evidence show nn.GELU ex", ["exact"]),
        ("lint --explain both", ["both-languages"]),
        ("schema evidence-d", ["evidence-diff"]),
        ("completion z", ["zsh"]),
        # What the shell knows better.
        ("scan sr", [":files"]),
        ("build --data ", [":dirs"]),
        ("search anything", []),
    ],
)  # fmt: skip
def test_a_word_may_become(line: str, found: list[str]) -> None:
    assert completing.run(line.split(" ")).splitlines() == found


def test_without_a_base_there_are_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMAP_DB", "/nowhere")
    assert completing.run(["lookup", "nn.D"]) == ""
    assert completing.run(["lookup", "--js"]) == "--json\n"


def test_what_can_be_completed_is_current() -> None:
    """`python -m cogapp -r -I cli cli/msmap_cli/words.py` would change nothing."""
    assert completable.table() == words.TABLE


def test_every_kind_that_is_asked_for_is_known() -> None:
    kinds = {kind for row in words.TABLE.values() for kind in row.values()}
    asked = sorted(k for k in kinds if k and "|" not in k and k[0] not in ":?")
    assert all(isinstance(completing.run(["lookup", "x"]), str) for _ in asked)
    for kind in asked:
        completing._of(kind, "", "torch.cat")


def test_there_is_a_script_for_each_shell() -> None:
    assert set(scripts.SCRIPTS) == set(Shell.__args__)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose `msmap` is first on the path."""
    program = tmp_path / "bin" / "msmap"
    program.parent.mkdir()
    run = "import sys; from msmap_cli.main import main; sys.exit(main())"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -c "{run}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is missing")
def test_bash_completes(installed: Path) -> None:
    (installed / "README.md").touch()
    script = """
        eval "$(msmap completion bash)"
        try() {
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
            _msmap msmap "${@: -1}" "${@: -2:1}" 2>/dev/null; echo "${COMPREPLY[@]}"
        }
        try msmap nn.Dro; try msmap lookup --format ''; try msmap guide tr; try msmap port REA
    """
    done = subprocess.run(
        ["bash", "--norc", "-c", script], cwd=installed, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "nn.Dropout", "text json yaml markdown", "training", "README.md",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is missing")
def test_fish_completes(installed: Path) -> None:
    (installed / "README.md").touch()
    tries = ("msmap nn.Dro", "msmap lookup --format ", "msmap guide tr", "msmap port REA")
    asked = "; ".join(f"complete -C '{line}'" for line in tries)
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"msmap completion fish | source; {asked}"],
        cwd=installed, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert sorted(done.stdout.split()) == [
        "README.md", "json", "markdown", "nn.Dropout", "text", "training", "yaml",
    ]  # fmt: skip


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is missing")
def test_zsh_completes(installed: Path) -> None:
    """A press of Tab in a real one: it has no other way to ask."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(installed)
        os.execvp("zsh", ["zsh", "-f", "-i"])
    try:
        ready = 'autoload -U compinit; compinit -u; eval "$(msmap completion zsh)"; echo re""ady\n'
        os.write(terminal, ready.encode())
        _until(terminal, b"ready")
        os.write(terminal, b"msmap nn.Dro\t")
        assert b"nn.Dropout" in _until(terminal, b"nn.Dropout")
        os.write(terminal, b"\x15msmap guide tr\t")
        assert b"training" in _until(terminal, b"training")
    finally:
        os.close(terminal)
        os.waitpid(child, 0)


def _until(terminal: int, wanted: bytes, seconds: float = 30) -> bytes:
    """What a terminal shows until it shows something, or for so long."""
    shown, end = b"", time.monotonic() + seconds
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536)
    return shown
