"""Files replaced whole or not at all."""

from __future__ import annotations

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
        assert temporary.parent == tmp_path
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


def test_a_process_killed_in_the_block_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("old", encoding="utf-8")
    code = (
        "import os, pathlib, sys\n"
        "from msmap import atomic\n"
        "with atomic.replacing(pathlib.Path(sys.argv[1])) as temporary:\n"
        "    temporary.write_text('half', encoding='utf-8')\n"
        "    os._exit(9)\n"
    )
    folders = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-c", code, path], env={**os.environ, "PYTHONPATH": folders}, check=False
    )
    assert (done.returncode, path.read_text(encoding="utf-8")) == (9, "old")


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
