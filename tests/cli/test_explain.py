"""`msmap explain`: a message, a traceback on standard input, a command, and a hook in a script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.builders.commands import Done, Run

CAT = """\
module 'mindspore' has no attribute 'cat'
  MindSpore has no mindspore.cat: it is a name of PyTorch's (torch.cat). Its counterpart is \
mindspore.mint.cat.
  Write
    mindspore.mint.cat((a, b), 0)
  See
    msmap torch.cat
"""


def test_a_message_is_explained(run: Run) -> None:
    done = run("explain", "module 'mindspore' has no attribute 'cat'")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines()[:2] == CAT.splitlines()[:2]
    assert done.out.splitlines()[-2:] == CAT.splitlines()[-2:]


@pytest.mark.parametrize("message", ["KeyError: 'a b'", "no error at all", " "])
def test_what_is_not_known_gets_nothing(message: str, run: Run) -> None:
    assert run("explain", message) == Done(1, "", "")


def script(folder: Path, *lines: str) -> str:
    """A script, by its path."""
    path = folder / "train.py"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def python(database: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python, or a module of it, run with the small database."""
    environment = os.environ | {"MSMAP_DB": str(database), "LC_ALL": "C.UTF-8"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False
    )


MISSING = ("class Tensor: pass", "print('begun')", "Tensor().size2 if 0 else Tensor().size()")


def test_a_command_runs_as_it_is_and_is_explained(tmp_path: Path, database: Path) -> None:
    path = script(tmp_path, *MISSING)
    alone = python(database, path)
    done = python(database, "-m", "msmap_cli.main", "explain", "--", sys.executable, path)
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (1, "begun\n")
    told = done.stderr.removeprefix(alone.stderr)
    assert done.stderr.startswith(alone.stderr)
    assert "torch.Tensor.size" in told


@pytest.mark.parametrize(
    ("lines", "status"),
    [(["import sys", "sys.exit(3)"], 3), (["1 / 0"], 1), (["import os", "os.abort()"], 134)],
)
def test_what_a_command_ends_with_stays(
    lines: list[str], status: int, tmp_path: Path, database: Path
) -> None:
    path = script(tmp_path, *lines)
    done = python(database, "-m", "msmap_cli.main", "explain", "--", sys.executable, path)
    assert (done.returncode, done.stderr) == (status, python(database, path).stderr)


def test_a_command_that_is_not_there(run: Run) -> None:
    done = run("explain", "--", "no-such-command", "train.py")
    assert done == Done(127, "", "msmap: no-such-command: No such file or directory\n")


@pytest.mark.parametrize(
    ("lines", "told"),
    [(MISSING, True), (("1 / 0",), False), (("raise SystemExit(0)",), False)],
    ids=["known", "strange", "left"],
)
def test_a_hook_explains_below_the_traceback(
    lines: tuple[str, ...], told: bool, tmp_path: Path, database: Path
) -> None:
    hook = "import msmap.explain; msmap.explain.install('zh')"
    plain = python(database, script(tmp_path, "pass", *lines))
    done = python(database, script(tmp_path, hook, *lines))
    assert (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
    assert done.stderr.startswith(plain.stderr)
    assert ("参见" in done.stderr) is told


def test_in_a_notebook_the_shell_shows_it_first(
    database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import builtins

    from msmap import explain

    monkeypatch.setenv("MSMAP_DB", str(database))
    handlers = []

    class Shell:
        def set_custom_exc(self, kinds: object, handler: object) -> None:
            handlers.append((kinds, handler))

        def showtraceback(self, told: object, tb_offset: int | None = None) -> None:
            print("shown", file=sys.stderr)

    monkeypatch.setattr(builtins, "get_ipython", Shell, raising=False)
    explain.install("en")
    ((_, handler),) = handlers
    error = AttributeError("module 'mindspore' has no attribute 'cat'")
    handler(Shell(), type(error), error, None)  # type: ignore[operator]
    said = capsys.readouterr().err
    assert said.startswith("shown\n\nAttributeError: module")
    assert "msmap torch.cat" in said
