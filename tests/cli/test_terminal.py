"""Lines on a terminal: styled, and wrapped to its width."""

from __future__ import annotations

import pytest

from msmap.render.layout import BAD, CODE, Line, Markup, line, marked, table
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
        # What is broken off hangs, if that leaves room.
        (line("[silent] ", "one two", hang=9), 18, ["[silent] one two"]),
        (line("[silent] ", "one two three", hang=9), 18, ["[silent] one two", " " * 9 + "three"]),
        (line("one two three", hang=9), 10, ["one two", "    three"]),
        # Marks close what they stand behind; a call is broken behind a comma.
        (line("一二（三）。四"), 8, ["一二", "（三）。", "四"]),
        (line("f(alpha,beta)"), 9, ["f(alpha,", "beta)"]),
        # Rows of a table break between cells, and without what lines them up.
        (line("a    ", "one two  ", "b", whole=True, hang=2), 20, ["a    one two  b"]),
        (line("a    ", "one two  ", "b", whole=True, hang=2), 12, ["a  one two", "  b"]),
        (line("a    ", "one two  ", "b", whole=True, hang=2), 9, ["a", "  one two", "  b"]),
        (line("a  ", "  bcde", whole=True, hang=2), 7, ["a", "  bcde"]),
        (line("a  ", "one two  ", whole=True, hang=2), 6, ["a  one", "  two"]),
    ],
    ids=str,
)
def test_a_line_is_wrapped_between_words(shown: Line, width: int, rows: list[str]) -> None:
    found = ["".join(text for text, _ in parts) for parts in terminal.wrapped(marked(shown), width)]
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
    for name, value in ({"COLUMNS": "8", "NO_COLOR": "", "FORCE_COLOR": "1"} | environment).items():
        monkeypatch.setenv(name, value)
    terminal.show([line(("one", CODE), " ", ("two three", BAD)), "as it\x1b is\n"])
    assert capsys.readouterr().out == printed


def test_the_rows_of_a_table_fit_or_break_between_cells() -> None:
    found = table([("torch.cat", "identical", "-"), ("torch.nn.GELU", "missing", "Ascend")], 44)
    shown = {
        width: ["".join(t for t, _ in row) for one in found
                for row in terminal.wrapped(marked(one), width)]
        for width in (40, 24)
    }  # fmt: skip
    assert shown == {
        40: ["torch.cat      identical  -", "torch.nn.GELU  missing    Ascend"],
        24: ["torch.cat  identical  -", "torch.nn.GELU  missing", "    Ascend"],
    }


def test_names_stay_in_their_column_where_the_rest_does_not_fit() -> None:
    """What is broken off stands under the second column."""
    found = table(
        [("torch.cat", "mindspore.mint.cat", "identical", "CPU"),
         ("torch.chunk", "mindspore.mint.split(x, 1)", "composite", "CPU")], 44
    )  # fmt: skip
    shown = {
        width: ["".join(t for t, _ in row) for one in found
                for row in terminal.wrapped(marked(one), width)]
        for width in (64, 50, 40)
    }  # fmt: skip
    assert shown == {
        64: [
            "torch.cat    mindspore.mint.cat          identical  CPU",
            "torch.chunk  mindspore.mint.split(x, 1)  composite  CPU",
        ],
        50: [
            "torch.cat    mindspore.mint.cat  identical  CPU",
            "torch.chunk  mindspore.mint.split(x, 1)  composite",
            "             CPU",
        ],
        40: [
            "torch.cat    mindspore.mint.cat",
            "             identical  CPU",
            "torch.chunk  mindspore.mint.split(x, 1)",
            "             composite  CPU",
        ],
    }


def test_a_cell_that_is_wider_than_its_column_keeps_its_distance() -> None:
    (row,) = table([("wide" * 5, "next")], 10)
    assert [text for text, _ in row.parts] == ["wide" * 5 + "  ", "next  "]
    assert row.text == f"{'wide' * 5}\tnext"


def test_markdown_is_shown_by_rich(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("NO_COLOR", "1")
    terminal.show([line("before"), Markup("- *one*\n- two\n"), line("after")])
    rows = [row.strip() for row in capsys.readouterr().out.splitlines()]
    assert [row for row in rows if row] == ["before", "• one", "• two", "after"]
