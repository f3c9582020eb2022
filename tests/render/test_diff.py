"""Diffs that patch and git take: what they make of a file is what the changes make of it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from msmap.code.source import Change
from msmap.render import diff

LINES = "".join(f"{number}\n" for number in range(1, 21))


def shown(text: str, *changes: Change) -> str:
    return "".join(diff.unified("a.py", text, changes))


def test_lines_that_change_stand_among_those_around() -> None:
    changes = [(2, 3, "two"), (4, 4, "and "), (36, 38, "x\ny")]
    assert shown(LINES, *changes) == (
        "--- a/a.py\n+++ b/a.py\n"
        "@@ -1,6 +1,6 @@\n 1\n-2\n-3\n+two\n+and 3\n 4\n 5\n 6\n"
        "@@ -13,7 +13,8 @@\n 13\n 14\n 15\n-16\n+x\n+y\n 17\n 18\n 19\n"
    )
    assert shown(LINES) == shown(LINES, (2, 3, "2")) == ""


# Text, changes.
CASES: dict[str, tuple[str, list[Change]]] = {
    "one line": ("a\n", [(0, 1, "b")]),
    "the first": (LINES, [(0, 0, "new\n")]),
    "the last": (LINES, [(len(LINES), len(LINES), "new\n")]),
    "all of it": ("a\nb\n", [(0, 4, "")]),
    "into nothing": ("", [(0, 0, "a\n")]),
    "without a last break": ("a\nb", [(0, 1, "c"), (2, 3, "d")]),
    "a last break more": ("a\nb", [(3, 3, "\n")]),
    "a last break less": ("a\nb\n", [(3, 4, "")]),
    "behind the last line": ("a\nb", [(3, 3, "\nc")]),
    "a line that goes": (LINES, [(4, 6, "")]),
    "lines that become one": (LINES, [(3, 8, " ")]),
    "lines far apart": (LINES, [(0, 1, "x"), (20, 21, "y"), (48, 50, "z")]),
    "two hunks that grow": (LINES, [(0, 1, "x\ny\nz"), (48, 50, "w\nv")]),
    "equal lines between": ("a\nb\nc\n", [(0, 6, "x\nb\ny\n")]),
    "breaks of Windows": ("a\r\nb\r\n", [(3, 4, "c")]),
    "breaks of old": ("a\rb\rc\n", [(2, 3, "d")]),
    "other letters": ("é\nü = 'ß'\n中\n", [(3, 5, "a"), (9, 11, "ss")]),
    "other breaks": ("a\x0cb\x0b\nc\u2028d\n", [(0, 1, "x")]),
}


@pytest.mark.parametrize("tool", ["patch", "git"])
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_tools_take_it(case: tuple[str, list[Change]], tool: str, tmp_path: Path) -> None:
    text, changes = case
    path = tmp_path / "sub" / "a b.py"
    path.parent.mkdir()
    path.write_bytes(text.encode())
    made = "".join(diff.unified("sub/a b.py", text, changes)).encode()
    command = ["patch", "-p1", "--binary"] if tool == "patch" else ["git", "apply"]
    subprocess.run(command, cwd=tmp_path, input=made, check=True, capture_output=True)
    expected, place = b"", 0
    for begin, end, new in changes:
        expected += text.encode()[place:begin] + new.encode()
        place = end
    expected += text.encode()[place:]
    # What is empty patch removes.
    assert (path.read_bytes() if path.exists() else b"") == expected


@pytest.mark.parametrize("tool", ["patch", "git"])
@pytest.mark.parametrize("name", ["a b.py", 'a"b.py', "a\\b.py", "a\nb.py", "é.py", "a\tb.py"])
def test_names_of_all_kinds(tmp_path: Path, name: str, tool: str) -> None:
    (tmp_path / name).write_text("a\n", encoding="utf-8")
    made = "".join(diff.unified(name, "a\n", [(0, 1, "b")])).encode()
    command = ["patch", "-p1"] if tool == "patch" else ["git", "apply"]
    subprocess.run(command, cwd=tmp_path, input=made, check=True, capture_output=True)
    assert (tmp_path / name).read_text(encoding="utf-8") == "b\n"
