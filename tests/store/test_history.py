"""Where records are written, and what git tells of their changes and of when their checks ran."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from msmap.store import build as store
from msmap.store import history

NAME = "torch.nn.Dropout"
Told = dict[str, tuple[str, str, str]]


def git(folder: Path, *arguments: str, date: str = "2024-01-02") -> None:
    own = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "n"), ("EMAIL", "n@localhost"), ("DATE", f"{date}T12:00:00Z"))
    }
    quiet = ("-c", "core.hooksPath=/dev/null", "-c", "commit.gpgsign=false")
    subprocess.run(
        ["git", *quiet, *arguments], cwd=folder, check=True, capture_output=True,
        env=os.environ | own | {"GIT_CONFIG_GLOBAL": os.devnull},
    )  # fmt: skip


@pytest.fixture
def repository(checkout: Path) -> Path:
    """The data directory in a repository of three commits."""
    record = checkout / "records/torch/nn/Dropout.yaml"
    text = record.read_text(encoding="utf-8")
    evidence = next((checkout / "evidence").iterdir())
    git(Path(), "init", "-q")
    git(Path(), "add", ".")
    git(Path(), "commit", "-qm", "Begin")
    record.write_text(text + "# more\n", encoding="utf-8")
    git(Path(), "commit", "-qam", "A <b>better</b> record", date="2024-02-03")
    lines = evidence.read_text(encoding="utf-8").splitlines(keepends=True)
    changed = [n.replace("}\n", " }\n") if f'"{NAME}"' in n else n for n in lines]
    evidence.write_text("".join(changed), encoding="utf-8")
    git(Path(), "commit", "-qam", "Run again", date="2024-03-04")
    return checkout


def told(path: Path) -> Told:
    with closing(sqlite3.connect(path)) as opened:
        rows = opened.execute("SELECT owner, path, ran, changes FROM history").fetchall()
    return {owner: (place, ran, changes) for owner, place, ran, changes in rows}


def test_changes_and_runs_are_told(repository: Path) -> None:
    store.build(repository, Path("msmap.db"))
    found = told(Path("msmap.db"))
    assert found[NAME] == (
        "records/torch/nn/Dropout.yaml", "2024-03-04",
        '[["2024-02-03","A <b>better</b> record"],["2024-01-02","Begin"]]',
    )  # fmt: skip
    assert found["torch.cat"][1:] == ("2024-01-02", '[["2024-01-02","Begin"]]')


def test_git_is_asked_for_lines_once_for_what_is_committed(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another commit of the file, or a line that is in none, is seen."""
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o700)
    asked: list[Path] = []
    lines = history.git.lines
    monkeypatch.setattr(history.git, "lines", lambda path: asked.append(path) or lines(path))

    def ran() -> str:
        store.build(repository, Path("msmap.db"), kept)
        return told(Path("msmap.db"))[NAME][1]

    assert [ran(), ran(), len(asked)] == ["2024-03-04", "2024-03-04", 1]
    evidence = next((repository / "evidence").iterdir())
    text = evidence.read_text(encoding="utf-8")
    evidence.write_text(text.replace(" }\n", "  }\n"), encoding="utf-8")
    assert [ran() > "2024-05-06", len(asked)] == [True, 2]
    git(Path(), "commit", "-qam", "Run once more", date="2024-05-06")
    assert [ran(), ran(), len(asked)] == ["2024-05-06", "2024-05-06", 3]
    store.build(repository, Path("anew.db"))
    assert Path("anew.db").read_bytes() == Path("msmap.db").read_bytes()


def test_without_git_only_the_place_is_known(checkout: Path) -> None:
    store.build(checkout, Path("msmap.db"))
    assert told(Path("msmap.db"))[NAME] == ("records/torch/nn/Dropout.yaml", "", "[]")


def test_the_last_commits_alone_tell_nothing(repository: Path, tmp_path: Path) -> None:
    """All files would seem to be of the first of them."""
    shallow = tmp_path / "shallow"
    git(Path(), "clone", "-q", "--depth", "1", f"file://{Path().resolve()}", str(shallow))
    store.build(shallow / repository, Path("msmap.db"))
    assert told(Path("msmap.db"))[NAME][1:] == ("", "[]")
    shutil.rmtree(shallow)
