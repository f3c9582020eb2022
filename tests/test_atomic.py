"""Files replaced whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from msmap import atomic


def test_a_block_that_succeeds_puts_its_file_in_place(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("old", encoding="utf-8")
    with atomic.replacing(path) as temporary:
        assert not temporary.exists()
        temporary.write_text("new", encoding="utf-8")
        assert path.read_text(encoding="utf-8") == "old"
    assert path.read_text(encoding="utf-8") == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_block_that_fails_leaves_everything_as_it_was(
    tmp_path: Path, error: type[BaseException]
) -> None:
    path = tmp_path / "data.txt"
    path.write_text("old", encoding="utf-8")

    def fail() -> None:
        with atomic.replacing(path) as temporary:
            temporary.write_text("half", encoding="utf-8")
            raise error

    with pytest.raises(error):
        fail()
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_block_that_fails_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no"), atomic.replacing(tmp_path / "new" / "data.txt"):
        raise ValueError("no")
    assert list((tmp_path / "new").iterdir()) == []


def started(path: Path, code: str) -> subprocess.Popen[str]:
    """A process that replaces a file; ``code`` is what it does in the block."""
    lines = [
        "import os, pathlib, resource, sys",
        "from msmap import atomic",
        "with atomic.replacing(pathlib.Path(sys.argv[1])) as temporary:",
        "    temporary.write_text('half', encoding='utf-8')",
        *(f"    {line}" for line in code.splitlines()),
    ]
    return subprocess.Popen(
        [sys.executable, "-c", "\n".join(lines), path],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    )  # fmt: skip


def test_what_a_killed_process_wrote_goes_when_the_file_is_next_replaced(tmp_path: Path) -> None:
    """Journals of databases too; what is of other files, or a person's, stays."""
    path = tmp_path / "data.txt"
    path.write_text("old", encoding="utf-8")
    (tmp_path / ".data.txt.kept").mkdir()
    killed = started(path, "temporary.with_suffix('.journal').touch()\nos._exit(9)")
    assert (killed.communicate(), killed.returncode) == (("", ""), 9)
    assert path.read_text(encoding="utf-8") == "old"
    kept = {"data.txt", "other.txt", ".data.txt.kept"}
    atomic.write(tmp_path / "other.txt", "new")
    (left,) = {p.name for p in tmp_path.iterdir()} - kept
    assert sorted(p.name for p in (tmp_path / left).iterdir()) == ["lock", "made", "made.journal"]
    atomic.write(path, "new")
    assert {p.name for p in tmp_path.iterdir()} == kept


def test_what_a_running_process_writes_is_let_alone(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    running = started(path, "print('in it', flush=True)\nsys.stdin.read()")
    assert running.stdout is not None
    assert running.stdout.readline() == "in it\n"
    atomic.write(path, "new")
    assert path.read_text(encoding="utf-8") == "new"
    assert (running.communicate()[1], running.returncode) == ("", 0)
    assert path.read_text(encoding="utf-8") == "half"
    assert list(tmp_path.iterdir()) == [path]


def test_where_nothing_can_be_locked_files_are_replaced_and_nothing_is_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a Lustre that is mounted without ``flock``."""

    def lock(handle: int) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(atomic, "_lock", lock)
    path = tmp_path / "data.txt"
    with atomic.replacing(path) as temporary:
        temporary.write_text("first", encoding="utf-8")
        atomic.write(path, "second")
    assert path.read_text(encoding="utf-8") == "first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="a limit of a file's size is POSIX's")
def test_a_file_that_cannot_be_written_is_named_and_left_as_it_was(tmp_path: Path) -> None:
    """As on a full disk: the error of ``write`` itself names no file."""
    path = tmp_path / "data.txt"
    path.write_text("old", encoding="utf-8")
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (9, 9))\ntemporary.write_text('x' * 100000)"
    said = started(path, full).communicate()[1].splitlines()[-1]
    assert said == f"OSError: [Errno {errno.EFBIG}] {os.strerror(errno.EFBIG)}: '{path}'"
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_names_the_file(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(PermissionError) as caught:
        atomic.write(tmp_path / "data.txt", "new")
    assert caught.value.filename == str(tmp_path / "data.txt")


def test_an_error_of_another_file_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught, atomic.replacing(tmp_path / "data.txt"):
        (tmp_path / "source.txt").read_text(encoding="utf-8")
    assert caught.value.filename == str(tmp_path / "source.txt")


def test_a_folder_in_the_way_is_kept_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    (tmp_path / "data.txt").mkdir()
    with pytest.raises(OSError, match=r"data\.txt"):
        atomic.write(tmp_path / "data.txt", "new")
    assert [(p.name, p.is_dir()) for p in tmp_path.iterdir()] == [("data.txt", True)]


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "data.txt"
    atomic.write(path, "new")
    assert path.read_text(encoding="utf-8") == "new"


def test_text_is_utf8_with_plain_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    atomic.write(path, "学习率\nlr\n")
    assert path.read_bytes() == b"\xe5\xad\xa6\xe4\xb9\xa0\xe7\x8e\x87\nlr\n"


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_file_has_the_permissions_of_any_new_file(tmp_path: Path, umask: int, mode: int) -> None:
    path = tmp_path / "data.txt"
    before = os.umask(umask)
    try:
        atomic.write(path, "new")
        after = os.umask(umask)
    finally:
        os.umask(before)
    assert (stat.S_IMODE(path.stat().st_mode), after) == (mode, umask)
