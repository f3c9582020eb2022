"""Lines on a terminal: styled, and wrapped to its width."""

from __future__ import annotations

import pytest

from msmap.render.layout import BAD, CODE, Markup, line
from msmap_cli import terminal


@pytest.mark.parametrize(
    ("shown", "width", "rows"),
    [
        (line(), 10, [""]),
        (line("short"), 10, ["short"]),
        (line("one two three"), 8, ["one two", "three"]),
        (line("one two three", indent=2), 9, ["  one two", "  three"]),
        (line("exactly ten"), 11, ["exactly ten"]),
        (line("  kept", "   ", "apart  "), 20, ["  kept   apart"]),
        (line("abcdefghij"), 4, ["abcd", "efgh", "ij"]),
        (line("ab cdefgh"), 4, ["ab", "cdef", "gh"]),
        (line("张量的形状"), 4, ["张量", "的形", "状"]),
        (line("张量 abc"), 6, ["张量", "abc"]),
        (line("量"), 1, ["量"]),
        (line("deep", indent=9), 4, [f"{' ' * 9}{letter}" for letter in "deep"]),
    ],
    ids=str,
)
def test_a_line_is_wrapped_between_words(shown: object, width: int, rows: list[str]) -> None:
    assert isinstance(shown, terminal.Line)
    found = ["".join(text for text, _ in parts) for parts in terminal.wrapped(shown, width)]
    assert found == rows


@pytest.mark.parametrize(
    ("environment", "printed"),
    [
        ({}, "\x1b[36mone\x1b[0m \x1b[1;31mtwo\x1b[0m\n\x1b[1;31mthree\x1b[0m\nas it\x1b is\n"),
        ({"NO_COLOR": "1"}, "one two\nthree\nas it\x1b is\n"),
        ({"COLUMNS": "0"}, "\x1b[36mone\x1b[0m \x1b[1;31mtwo three\x1b[0m\nas it\x1b is\n"),
    ],
    ids=str,
)  # fmt: skip
def test_parts_are_drawn_in_their_styles(
    environment: dict[str, str],
    printed: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name, value in ({"COLUMNS": "8", "NO_COLOR": ""} | environment).items():
        monkeypatch.setenv(name, value)
    terminal.show([line(("one", CODE), " ", ("two three", BAD)), "as it\x1b is\n"])
    assert capsys.readouterr().out == printed


def test_markdown_is_shown_by_rich(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    terminal.show([line("before"), Markup("- *one*\n- two\n"), line("after")])
    rows = [row.strip() for row in capsys.readouterr().out.splitlines()]
    assert [row for row in rows if row] == ["before", "• one", "• two", "after"]
