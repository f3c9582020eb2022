"""Files and folders ported: in order, side by side, and only what has changed since."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from msmap.model import Unread
from msmap.port import project as porting
from msmap.port.project import Done
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import port as projects
from msmap.query.projects import trees

CODE = "import torch\nx = torch.cat([a])\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four files that can be ported, and some that can't be read, in the current folder."""
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "a.py": CODE,
        "b.py": "x = (",
        "c.py": "cat([a])\n",
        "sub/d.py": CODE,
        "sub/e.py": "from a import x\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return tmp_path


def told(done: Iterator[Done | Unread]) -> list[tuple[str, int | str]]:
    """Each file with how many edits it gets, or why it wasn't read."""
    return [
        (one.path, one.kind) if isinstance(one, Unread) else (one.told.path, len(one.told.edits))
        for one in done
    ]


ALL = [
    ("gone", "absent"), ("a.py", 2), ("b.py", "not_python"), ("c.py", 0), ("sub/d.py", 2),
    ("sub/e.py", 0),
]  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_file_is_told_in_order(
    tree: Path, kb: KnowledgeBase, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "_WORTH_PROCESSES", 0)
    seen: list[tuple[int, int]] = []
    done = projects.port(
        kb, [".", "gone"], jobs=jobs, progress=lambda number, every: seen.append((number, every))
    )
    assert told(done) == ALL
    assert seen == [(number, 5) for number in range(1, 6)]


def test_patterns_leave_out(tree: Path, kb: KnowledgeBase) -> None:
    done = projects.port(kb, ["."], exclude=["sub", "b.py"])
    assert told(done) == [("a.py", 2), ("c.py", 0)]


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names of the files that are ported, not taken from what is kept."""
    found: list[str] = []
    usual = porting.port

    def port(path: Path, *arguments: Any) -> Done | Unread:
        found.append(path.name)
        return usual(path, *arguments)

    monkeypatch.setattr(porting, "port", port)
    monkeypatch.setenv("MSMAP_CACHE", str(tmp_path.parent / f"{tmp_path.name}-cache"))
    return found


def test_what_has_not_changed_is_taken_as_it_was(
    tree: Path, kb: KnowledgeBase, watched: list[str]
) -> None:
    def run(**asked: Any) -> list[str]:
        watched.clear()
        assert told(projects.port(kb, [".", "gone"], kept=True, **asked))[2:] == ALL[2:]
        return sorted(watched)

    every = ["a.py", "b.py", "c.py", "d.py", "e.py"]
    assert [run(), run()] == [every, []]
    assert [run(language="zh"), run(language="zh")] == [every, []], "but not for another question"
    (tree / "a.py").write_text("# one more\n" + CODE, encoding="utf-8")
    assert [run(language="zh"), run(language="zh")] == [["a.py", "e.py"], []], "e.py imports it"
    (tree / "a.py").touch()
    assert run(language="zh") == []


def test_nothing_is_kept_unless_it_is_wanted(
    tree: Path, kb: KnowledgeBase, watched: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    list(projects.port(kb, ["."]))
    assert not Path(os.environ["MSMAP_CACHE"]).exists()
    monkeypatch.setenv("MSMAP_CACHE", "")
    list(projects.port(kb, ["."], kept=True))
    assert len(watched) == 10


def _fails(path: Path, *arguments: Any) -> Done | Unread:
    if path.name == "c.py":
        raise AssertionError("what nobody thought of")
    return _USUAL(path, *arguments)


def _ends(path: Path, *arguments: Any) -> Done | Unread:
    if path.name == "c.py":
        os._exit(1)
    return _USUAL(path, *arguments)


_USUAL = porting.port


@pytest.mark.parametrize(
    ("fault", "jobs", "why"),
    [
        (_fails, 1, "AssertionError: what nobody thought of"),
        (_fails, 2, "AssertionError: what nobody thought of"),
        (_ends, 2, "its process ended"),
    ],
)
def test_a_mistake_of_ours_costs_one_file(
    tree: Path,
    kb: KnowledgeBase,
    fault: Callable[..., Any],
    jobs: int,
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(porting, "port", fault)
    monkeypatch.setattr(trees, "_WORTH_PROCESSES", 0)
    done = list(projects.port(kb, [".", "gone"], jobs=jobs))
    assert told(iter(done)) == [*ALL[:3], ("c.py", "crashed"), *ALL[4:]]
    assert isinstance(done[3], Unread)
    reason = f"msmap failed on it; nothing was changed, please report it: {why}"
    assert done[3].reason.en == reason


def test_what_probing_found_is_noted(probed: Path, tree: Path) -> None:
    (tree / "a.py").write_text("import torch\ntorch.relu(x)\n", encoding="utf-8")
    with KnowledgeBase.open(probed) as kb:
        [done] = projects.port(kb, ["a.py"], probed=True)
    assert isinstance(done, Done)
    assert [(note.line, note.text.en) for note in done.told.notes] == [
        (None, "torch.relu: probed, not curated: 43 of 48 samples agree with mindspore.ops.relu")
    ]
