"""Which files some paths mean, and what each holds: what is wrong with one is told of that one."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from msmap.code import files as project
from msmap.code import git
from msmap.model import Unread


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes files in the folder where the test runs."""
    monkeypatch.chdir(tmp_path)

    def make(*names: str) -> None:
        for name in names:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("import torch\n", encoding="utf-8")

    return make


def found(*paths: str, exclude: tuple[str, ...] = ()) -> tuple[list[str], list[tuple[str, str]]]:
    """The files that paths mean, and the paths that can't be read, with the kind of reason."""
    result = project.find(paths, exclude)
    return [f.as_posix() for f in result.files], [(u.path, u.kind) for u in result.unread]


def test_a_folder_means_all_python_and_notebooks_below(tree: Callable[..., None]) -> None:
    tree("b.py", "a/z.py", "a/b.ipynb", "a/b/c.py", "a/notes.txt", "x.py/inner.py", "setup.cfg")
    whole = ["b.py", "a/b.ipynb", "a/z.py", "a/b/c.py", "x.py/inner.py"]
    assert found(".") == (whole, [])
    assert found("x.py") == (["x.py/inner.py"], [])


def test_what_is_no_part_of_a_project_is_left_out(tree: Callable[..., None]) -> None:
    tree(
        "train.py", ".hidden.py", ".tox/a.py", "env/pyvenv.cfg", "env/lib/a.py",
        "__pycache__/a.py", "node_modules/a/b.py", "lib/site-packages/a.py",
    )  # fmt: skip
    assert found(".") == (["train.py"], [])
    assert found("env") == (["env/lib/a.py"], []), "but not where it is named"
    assert found(".hidden.py") == ([".hidden.py"], [])


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        ((), ["a.py", "sub/a.py", "sub/deep/b.py", "test_a.py"]),
        (("test_*",), ["a.py", "sub/a.py", "sub/deep/b.py"]),
        (("sub",), ["a.py", "test_a.py"]),
        (("sub/",), ["a.py", "test_a.py"]),
        (("sub/deep", "a.py"), ["test_a.py"]),
    ],
    ids=str,
)
def test_patterns_leave_out(
    tree: Callable[..., None], exclude: tuple[str, ...], left: list[str]
) -> None:
    tree("a.py", "test_a.py", "sub/a.py", "sub/deep/b.py")
    files, unread = found(".", exclude=exclude)
    assert (sorted(files), unread) == (left, [])


def test_a_file_is_read_once_however_often_it_is_named(tree: Callable[..., None]) -> None:
    tree("a.py", "sub/b.py")
    assert found("sub/b.py", ".", "./a.py", "sub") == (["sub/b.py", "a.py"], [])


def test_a_file_that_is_named_may_have_any_name(tree: Callable[..., None]) -> None:
    tree("tool", "script.txt")
    assert found("tool", "script.txt") == (["tool", "script.txt"], [])


def test_links_below_a_folder_are_not_followed(tree: Callable[..., None]) -> None:
    tree("in/a.py", "out/b.py", "out/c.txt")
    for name, to in (
        ("in/again.py", "a.py"),
        ("in/round", "."),
        ("in/self.py", "self.py"),
        ("in/nothing.py", "gone.py"),
        ("in/text.txt", "../out/c.txt"),
        ("in/away.py", "../out/b.py"),
        ("in/folder", "../out"),
    ):
        os.symlink(to, name)
    assert found("in") == (
        ["in/a.py"],
        [
            ("in/away.py", "elsewhere"),
            ("in/folder", "elsewhere"),
            ("in/nothing.py", "broken"),
            ("in/self.py", "cyclic"),
        ],
    )
    assert found("in", "out/b.py")[1][0] == ("in/folder", "elsewhere"), "the file itself is read"
    assert found("in/away.py", "in/folder") == (["in/away.py"], []), "named, they are followed"


def test_what_is_named_and_not_there_is_told(tree: Callable[..., None]) -> None:
    tree("a.py", "nothing/readme.md")
    os.symlink("self.py", "self.py")
    assert found("self.py", ".")[1] == [("self.py", "cyclic")], "once"
    assert found("a.py", "gone.py", "a.py/b.py", "nothing", "self.py", "a\0b.py", "n" * 300) == (
        ["a.py"],
        [
            ("gone.py", "absent"),
            ("a.py/b.py", "absent"),
            ("self.py", "cyclic"),
            ("a\0b.py", "unreadable"),
            ("n" * 300, "unreadable"),
            ("nothing", "empty"),
        ],
    )


def test_what_git_ignores_is_left_out(tree: Callable[..., None]) -> None:
    tree("repo/a.py", "repo/made/b.py", "repo/sub/kept.py", "repo/sub/tmp_c.py")
    Path("repo/.gitignore").write_text("made/\ntmp_*\n", encoding="utf-8")
    subprocess.run(["git", "init", "-q", "repo"], check=True)
    assert found("repo") == (["repo/a.py", "repo/sub/kept.py"], [])
    assert found("repo/made") == (["repo/made/b.py"], [])
    assert found("repo/sub/tmp_c.py") == (["repo/sub/tmp_c.py"], []), "but not where it is named"


def test_git_tells_which_files_it_has_as_they_are(tree: Callable[..., None]) -> None:
    tree("repo/kept.py", "repo/edited.py", "repo/staged.py", "repo/new.py", "repo/ignored.py")
    Path("repo/.gitignore").write_text("ignored.py\n", encoding="utf-8")

    def run(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "-C", "repo", *who, *arguments], check=True)

    run("init", "-q")
    run("add", "kept.py", "edited.py", "staged.py")
    run("commit", "-qm", "all")
    for name in ("edited", "staged"):
        Path(f"repo/{name}.py").write_text("other\n", encoding="utf-8")
    run("add", "staged.py")
    os.symlink("edited.py", "repo/link.py")
    committed = git.Committed()
    names = ("kept", "edited", "staged", "new", "ignored", "link")
    told = {name: committed.has(Path(f"repo/{name}.py")) for name in names}
    assert told == {
        "kept": True, "edited": False, "staged": False, "new": False, "ignored": False,
        "link": False,
    }  # fmt: skip


def test_without_a_repository_there_is_nothing_to_tell(tree: Callable[..., None]) -> None:
    tree("a.py")
    assert git.Committed().has(Path("a.py")) is None


def test_where_git_can_not_be_asked_nothing_is_safe(
    tree: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    tree("repo/a.py")
    subprocess.run(["git", "init", "-q", "repo"], check=True)
    monkeypatch.setenv("PATH", "")
    assert git.Committed().has(Path("repo/a.py")) is False
    assert git.ignored(Path("repo"), [Path("repo/a.py")]) == set()


BOM = "\ufeff".encode()


@pytest.mark.parametrize(
    ("content", "text", "encoding"),
    [
        (b"", "", "utf-8"),
        (b"x = 1\r\ny = 2\r", "x = 1\r\ny = 2\r", "utf-8"),
        (BOM + b"x = 1\n", "\ufeffx = 1\n", "utf-8"),
        ("x = 'é'\n".encode(), "x = 'é'\n", "utf-8"),
        (b"# coding: latin-1\nx = '\xe9'", "# coding: latin-1\nx = 'é'", "iso-8859-1"),
        ("# coding: gbk\nx = '中'".encode("gbk"), "# coding: gbk\nx = '中'", "gbk"),
    ],
    ids=["empty", "line breaks", "mark", "utf-8", "latin-1", "gbk"],
)
def test_a_file_gives_its_bytes_again(
    tmp_path: Path, content: bytes, text: str, encoding: str
) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(content)
    file = project.read(path)
    assert (file, file.bytes(file.text)) == (project.File(path, text, encoding), content)


def test_line_breaks_and_encodings_are_parsed_as_python_does(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    path.write_bytes(BOM + b"# coding: utf-8\r\nx = '\\d'\r\n")
    source = project.parse(path, project.read(path).text)
    assert source.text(source.tree.body[0]) == "x = '\\d'"


UNREADABLE = {
    "null bytes": (b"x = 1\0", "binary", "it holds null bytes: binary, or UTF-16", None),
    "UTF-16": ("x = 1".encode("utf-16"), "binary", "it holds null bytes: binary, or UTF-16", None),
    "no UTF-8": (b"x = '\xe9'\n", "encoding", "it can't be decoded: invalid or missing", None),
    "an encoding nobody knows": (
        b"# coding: nobody\n", "encoding", "it can't be decoded: unknown encoding", None,
    ),
    "no encoding of texts": (
        b"# coding: rot13\n", "encoding", "it can't be decoded: 'rot13' is not", None,
    ),
    "an encoding that loses bytes": (
        b"# coding: utf-7\nx = '+AGE-'\n", "encoding", "it can't be decoded: utf-7 would", None,
    ),
    "a syntax error": (b"\nx = (\n", "not_python", "not Python: '(' was never closed", 2),
    "no Python at all": (b"# Title\n\nSome text.\n", "not_python", "not Python: invalid", 3),
    "print": (b"print 'a'\n", "python_2", "Python 2, make it Python 3 first: Missing", 1),
    "exec": (b"exec 'a'\n", "python_2", "Python 2, make it Python 3 first: Missing", 1),
    "except": (
        b"try: pass\nexcept E, e: pass\n", "python_2", "Python 2, make it Python 3 first: mult", 2,
    ),
    "raise": (b"raise E, 'a'\n", "python_2", "Python 2, make it Python 3 first: invalid", 1),
    "other than": (b"a <> b\n", "python_2", "Python 2, make it Python 3 first: invalid", 1),
    "octal": (b"a = 0777\n", "python_2", "Python 2, make it Python 3 first: leading", 1),
    "long": (b"a = 7L\n", "python_2", "Python 2, make it Python 3 first: invalid", 1),
    "backticks": (b"a = `b`\n", "python_2", "Python 2, make it Python 3 first: invalid", 1),
    "too deep": (b"x = " + b"-" * 99_999 + b"1", "too_deep", "the code is nested too deeply", None),
    "10 MB on one line": (
        b"x = [" + b"1," * 5_000_000 + b"]", "too_large", "it has more than 5,000,000 bytes", None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREADABLE.values(), ids=UNREADABLE)
def test_what_can_not_be_read_is_told(
    tmp_path: Path, case: tuple[bytes, str, str, int | None]
) -> None:
    content, kind, reason, line = case
    path = tmp_path / "a.py"
    path.write_bytes(content)
    with pytest.raises(project.Unreadable) as told:
        project.parse(path, project.read(path).text)
    unread = told.value.unread
    begin = unread.reason.en[: len(reason)]
    assert (unread.path, unread.kind, begin, unread.line) == (str(path), kind, reason, line)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1\n", True),
        ("'\\d'", True),
        ("", True),
        ("x = (", False),
        ("f(x[1]=2)", False),
        ("print 1", False),
        ("x = 1\0", False),
        ("'\ud800'", False),
        ("(" * 250 + ")" * 250, False),
        # The parser takes these: who asks has to parse where nothing is told.
        ("def f(a, a): pass", False),
        ("  x = 1", False),
    ],
)
def test_that_a_text_is_python_is_told_sooner_than_by_parsing(text: str, told: bool) -> None:
    assert project.is_python(text) == told


@pytest.mark.skipif(sys.platform == "win32", reason="has no named pipes in folders")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "a.py"
    os.mkfifo(path)
    with pytest.raises(project.Unreadable) as told:
        project.read(path)
    assert told.value.unread.kind == "no_file"


def test_a_file_that_went_away_is_told(tmp_path: Path) -> None:
    with pytest.raises(project.Unreadable) as told:
        project.read(tmp_path / "gone.py")
    assert isinstance(told.value.unread, Unread)
    assert told.value.unread.reason.en == "there is no such file or folder"
