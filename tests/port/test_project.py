"""A file ported: edits as spans, what was left and why, and the file written anew."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from msmap.code import files
from msmap.infer.modules import Modules
from msmap.model import Text, Unread
from msmap.port import project
from msmap.port.project import Done, Writer
from msmap.ported import Edited, Left, Note, PortedFile
from msmap.query.knowledge_base import KnowledgeBase

Port = Callable[..., Any]


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kb: KnowledgeBase) -> Port:
    """Writes files by name and ports the first of them, in the folder where the test runs."""
    monkeypatch.chdir(tmp_path)

    def call(language: str = "en", **contents: str | bytes) -> Any:
        paths = [Path(name.replace("_dot_", ".")) for name in contents]
        for path, content in zip(paths, contents.values(), strict=True):
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        modules = Modules(paths, kb, lambda path: files.read(path).text)
        return project.port(paths[0], modules, "zh" if language == "zh" else "en")

    return call


def again(port: Port, done: Done) -> Done:
    """What a second run makes of what the first has made."""
    name = done.file.path.name.replace(".", "_dot_")
    found = port(**{name: done.file.bytes(done.text)})
    assert isinstance(found, Done)
    return found


CODE = """\
import torch

d = torch.nn.Dropout(0.5, inplace=True)
y = [
    torch.cat([a, b], 1),  # joined
    torch.foo(a),
]
"""
PORTED = """\
import mindspore
import torch

d = mindspore.nn.Dropout(p=0.5)
# msmap: torch.foo is no name of PyTorch that msmap knows; msmap lookup torch.foo
y = [
    mindspore.mint.cat([a, b], 1),  # joined
    torch.foo(a),
]
"""
LEFT = Left(
    6, 4, 6, 16, "unknown_name", "torch.foo(a)",
    Text(
        "torch.foo is no name of PyTorch that msmap knows",
        "torch.foo 不是 msmap 已知的 PyTorch 名称",
    ),
    "msmap lookup torch.foo",
)  # fmt: skip


def test_a_file_is_ported_with_all_that_there_is_to_say(port: Port) -> None:
    done = port(a_dot_py=CODE)
    comment = PORTED.splitlines(keepends=True)[4]
    assert (done.text, done.told) == (
        PORTED,
        PortedFile(
            "a.py", 1, 1, 1,
            (
                Edited(1, 0, 1, 0, "import mindspore\n"),
                Edited(3, 4, 3, 39, "mindspore.nn.Dropout(p=0.5)"),
                Edited(4, 0, 4, 0, comment),
                Edited(5, 4, 5, 24, "mindspore.mint.cat([a, b], 1)"),
            ),
            (LEFT,),
            (Note(3, 4, Text("`inplace` is dropped", "`inplace` 已删除")),),
            ("torch.nn.Dropout", "torch.cat"),
        ),
    )  # fmt: skip
    assert again(port, done).changes == ()


UNCHANGED = {
    "nothing at all": b"",
    "nothing of PyTorch's": b"\n\nx.size()\n",
    "a short form that nothing imports": b"nn.Dropout(0.5)",
    "a comment": b"# torch.cat([a])\n",
}


@pytest.mark.parametrize("content", UNCHANGED.values(), ids=UNCHANGED)
def test_what_is_not_pytorch_stays(port: Port, content: bytes) -> None:
    done = port(a_dot_py=content)
    assert done.told == PortedFile("a.py", 0, 0, 0, (), (), (), ())


KEPT = {
    "line breaks of Windows": (
        b"import torch\r\n\r\nx = torch.cat([a])\r\n",
        b"import mindspore\r\n\r\nx = mindspore.mint.cat([a])\r\n",
    ),
    "no last line break": (
        b"import torch\nx = torch.cat([a])",
        b"import mindspore\nx = mindspore.mint.cat([a])",
    ),
    "a mark of the byte order": (
        b"\xef\xbb\xbfimport torch\nx = torch.cat([a])\n",
        b"\xef\xbb\xbfimport mindspore\nx = mindspore.mint.cat([a])\n",
    ),
    "another encoding": (
        b"# coding: latin-1\nimport torch\nx = torch.cat([a], '\xe9')\ntorch.foo('\xe9')\n",
        b"# coding: latin-1\nimport mindspore\nimport torch\nx = mindspore.mint.cat([a], '\xe9')\n"
        b"# msmap: torch.foo is no name of PyTorch that msmap knows; msmap lookup torch.foo\n"
        b"torch.foo('\xe9')\n",
    ),
}


@pytest.mark.parametrize("case", KEPT.values(), ids=KEPT)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_file_keeps_its_bytes(port: Port, case: tuple[bytes, bytes], language: str) -> None:
    """A comment in an encoding without Chinese is in English."""
    content, expected = case
    done = port(language, a_dot_py=content)
    assert done.file.bytes(done.text) == expected
    assert again(port, done).changes == ()


def test_comments_are_in_the_language_that_is_asked_for(port: Port) -> None:
    done = port("zh", a_dot_py="import torch\ntorch.foo()\n")
    assert done.text == (
        "import torch\n"
        "# msmap: torch.foo 不是 msmap 已知的 PyTorch 名称; msmap lookup torch.foo\n"
        "torch.foo()\n"
    )


def test_what_can_not_be_told_because_of_what_is_in_it_goes_without_saying(port: Port) -> None:
    done = port(a_dot_py="import torch\ndef f(a):\n    return a.size().size(a.size())\n")
    left = [(refusal.kind, refusal.source) for refusal in done.told.refusals]
    assert left == [
        ("possible", "a.size()"),
        ("possible", "a.size().size(a.size())"),
        ("possible", "a.size()"),
    ]
    assert done.text.count("# msmap:") == 1


def test_other_files_of_the_tree_are_asked(port: Port) -> None:
    done = port(a_dot_py="from b import *\nx = cat([y])\n", b_dot_py="from torch import cat\n")
    assert [edit.text for edit in done.told.edits][-1:] == ["mindspore.mint.cat([y])"]


def notebook(*sources: str) -> str:
    cells = [
        {"cell_type": "code", "outputs": [{"text": "torch.cat"}], "source": source.splitlines(True)}
        for source in sources
    ]
    return json.dumps({"cells": cells, "nbformat": 4}, indent=1, ensure_ascii=False) + "\n"


def test_cells_of_a_notebook_share_their_names(port: Port) -> None:
    cells = [
        "%matplotlib é\nimport torch",
        "%%bash\nls",
        "x = (",
        "é = torch.cat([a])\ntorch.foo()",
    ]
    expected = [
        "%matplotlib é\nimport mindspore\nimport torch",
        "%%bash\nls",
        "x = (",
        "é = mindspore.mint.cat([a])\n"
        "# msmap: torch.foo is no name of PyTorch that msmap knows; msmap lookup torch.foo\n"
        "torch.foo()",
    ]
    done = port(a_dot_ipynb=notebook(*cells))
    comment = expected[3].splitlines(keepends=True)[1]
    assert done.text == notebook(*expected)
    assert (
        done.told.edits,
        [(left.kind, left.cell, left.line) for left in done.told.refusals],
    ) == (
        (
            Edited(2, 0, 2, 0, "import mindspore\n", 0),
            Edited(1, 4, 1, 18, "mindspore.mint.cat([a])", 3),
            Edited(2, 0, 2, 0, comment, 3),
        ),
        [("unknown_name", 3, 2), ("not_python", 2, 1)],
    )
    assert again(port, done).changes == ()


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a_dot_py", "x = (", "not_python"),
        ("a_dot_py", "print 'a'", "python_2"),
        ("a_dot_py", b"\0", "binary"),
        ("a_dot_py", b"\xff", "encoding"),
        ("a_dot_py", "x = " + "-" * 99_999 + "1", "too_deep"),
        ("a_dot_ipynb", "{", "no_notebook"),
    ],
)
def test_what_can_not_be_read_is_told(
    port: Port, name: str, content: str | bytes, kind: str
) -> None:
    unread = port(**{name: content})
    assert isinstance(unread, Unread)
    assert (unread.path, unread.kind) == (name.replace("_dot_", "."), kind)


def test_a_file_is_replaced_whole_and_stays_what_it_is(port: Port, tmp_path: Path) -> None:
    done = port(a_dot_py=CODE)
    path = tmp_path / "a.py"
    path.chmod(0o754)
    told = Writer().write(done)
    assert (told.written, told.kept) == (True, None)
    assert path.read_text(encoding="utf-8") == PORTED
    assert stat.S_IMODE(path.stat().st_mode) == 0o754
    assert [p.name for p in tmp_path.iterdir()] == ["a.py"]


def test_a_link_that_is_named_stays_and_what_it_leads_to_is_replaced(
    port: Port, tmp_path: Path
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "b.py").write_text(CODE, encoding="utf-8")
    os.symlink("real/b.py", "a.py")
    assert Writer().write(port(a_dot_py=CODE)).written
    assert (os.readlink("a.py"), Path("a.py").read_text(encoding="utf-8")) == ("real/b.py", PORTED)


def test_what_was_changed_meanwhile_stays(port: Port) -> None:
    done = port(a_dot_py=CODE)
    Path("a.py").write_text("# mine\n", encoding="utf-8")
    kept = Text("it was changed while it was ported", "转换期间文件被改动")
    assert Writer().write(done).kept == kept
    assert Path("a.py").read_text(encoding="utf-8") == "# mine\n"


def test_a_file_that_changed_since_others_imported_it_is_told(
    tmp_path: Path, kb: KnowledgeBase
) -> None:
    """What was read of it first is another text, and changes of that stand elsewhere."""
    path = tmp_path / "a.py"
    path.write_text(CODE, encoding="utf-8")
    modules = Modules([path], kb)
    assert modules.at(path).text == CODE
    path.write_text(f"# more\n{CODE}", encoding="utf-8")
    assert project.port(path, modules) == files.told(path, "changed")


def test_a_notebook_that_changes_while_it_is_read_is_told(
    tmp_path: Path, kb: KnowledgeBase
) -> None:
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(CODE), encoding="utf-8")
    file = files.read(path)
    path.write_text(notebook(f"# more\n{CODE}"), encoding="utf-8")
    with pytest.raises(files.Unreadable) as raised:
        project.ported(file, Modules([path], kb))
    assert raised.value.unread == files.told(path, "changed")


def test_what_can_not_be_written_is_told(port: Port, monkeypatch: pytest.MonkeyPatch) -> None:
    done = port(a_dot_py=CODE)
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda path, mode: False)
        assert Writer().write(done).kept == Text("it may only be read", "文件为只读")
    Path("a.py").unlink()
    missing = "it can't be written: No such file or directory"
    kept = Writer().write(done).kept
    assert kept is not None
    assert kept.en == missing


def test_what_git_does_not_have_as_it_is_stays(port: Port, tmp_path: Path) -> None:
    def run(*arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True)

    done = port(a_dot_py=CODE)
    run("init", "-q")
    kept = Writer().write(done).kept
    assert kept is not None
    assert kept.en == "git doesn't have it as it is; commit it, or give --dirty"
    run("add", "a.py")
    assert Writer().write(done).written is False
    run("commit", "-qm", "a")
    assert Writer().write(done).written is True
    assert Writer().write(again_read(port)).written is False
    assert Writer(dirty=True).write(again_read(port)).written is True


def again_read(port: Port) -> Done:
    """The file of the test as it stands, ported."""
    done = port(a_dot_py=Path("a.py").read_bytes())
    assert isinstance(done, Done)
    return done
