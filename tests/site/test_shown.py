"""Code and texts as they are shown: what differs marked, names as code, nothing added."""

from __future__ import annotations

import ast
import re
import sqlite3
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest

from datasette_msmap.web import code, languages, prose

CONV = "torch.nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)"
MINE = "mindspore.nn.Conv2d(3, 64, 7, stride=2, pad_mode='pad', padding=3, has_bias=False)"


def text(shown: str) -> str:
    return unescape(re.sub("<[^>]*>", "", shown))


def marks(shown: str) -> list[str]:
    return [text(found) for found in re.findall("<mark>(.*?)</mark>", shown, re.S)]


def test_a_long_call_has_one_argument_a_line_on_both_sides() -> None:
    torch, mindspore = code.sides(CONV, MINE)
    assert text(torch).split("\n") == [
        "torch.nn.Conv2d(", "    3,", "    64,", "    7,", "    stride=2,", "    padding=3,",
        "    bias=False,", ")",
    ]  # fmt: skip
    assert text(mindspore).split("\n")[5:] == [
        "    pad_mode='pad',", "    padding=3,", "    has_bias=False,", ")",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("torch", "mindspore", "marked"),
    [
        (CONV, MINE, (["bias"], ["pad_mode='pad'", "has_bias"])),
        ("torch.cat([a], dim=1)", "mindspore.mint.cat([a], dim=1)", ([], [".mint"])),
        ("torch.abs(x)", "mindspore.mint.abs(x)", ([], [".mint"])),
        ("torch.nn.Dropout(0.1)", "mindspore.nn.Dropout(p=0.1)", ([], ["p="])),
        # Where all is another nothing is marked.
        ("loss.backward()", "–", ([], [])),
    ],
)
def test_what_differs_between_two_calls_is_marked(
    torch: str, mindspore: str, marked: tuple[list[str], list[str]]
) -> None:
    one, other = code.sides(torch, mindspore)
    assert (marks(one), marks(other)) == marked


def test_code_without_spaces_breaks_before_the_last_part_of_a_name_and_in_brackets() -> None:
    shown = code.shown("torch.nn.functional.scaled_dot_product_attention(q, k, v)")
    assert shown == "torch.nn.functional.<wbr>scaled_dot_product_attention(<wbr>q, k, v)"


@pytest.mark.parametrize(
    "source",
    [
        "f(x for x in y if some_very_long_name_of_a_condition(x) and another_one_that_is_long(x))",
        "(value_of_some_length, ) + tuple(another_value_of_some_length_for_item in many_items)",
        "(lambda first_argument, second_argument: first_argument + second_argument)(one, two, t)",
        "x = f('a, (b', \"c'd\", r'\\n', *arguments, **{'key of some length': 'value of length'})",
        "long_name_of_a_tensor[some_index_of_the_tensor, other_index_of_the_tensor, :, None, ...]",
        "del (name_of_the_first_thing_to_forget), (name_of_the_second_thing_to_forget_as_well_as)",
    ],
)
def test_broken_code_is_the_same_code(source: str) -> None:
    found = code.broken(source, 40)
    assert found != source
    assert ast.dump(ast.parse(found)) == ast.dump(ast.parse(source))


def test_no_example_that_ships_is_cut_or_becomes_another(shipped: Path) -> None:
    """Lines are as long as half a page takes at 1440 pixels, but for few that nothing can break."""
    sql = "SELECT torch, example_torch, example_mindspore FROM record"
    with closing(sqlite3.connect(shipped)) as opened:
        records = opened.execute(sql).fetchall()
    long = 0
    for name, *sides in records:
        for before, after in zip(sides, map(text, code.sides(*sides)), strict=True):
            assert _tree(before) == _tree(after), name
            long += max(map(len, after.split("\n"))) > code.WIDTH + 6
    assert 0 < long < len(records) * 0.08


def _tree(source: str) -> str:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return ""


@pytest.mark.parametrize(
    ("said", "names", "found"),
    [
        ("has_bias is False by default.", (), ["has_bias", "False"]),
        ("Write mindspore.nn.Dropout(p=0.1).", (), ["mindspore.nn.Dropout(p=0.1)"]),
        (
            "`a b` raises TypeError in x.view(-1, 10)",
            (),
            ["a b", "TypeError", "x.view(-1, 10)"],
        ),
        ("PyTorch's bias, MindSpore, NumPy and 2.10.0 are words.", (), []),
        ("p is the rate; a step is none.", ("p", "dim"), ["p"]),
        ("<script>x_y</script>", (), ["x_y"]),
        (
            "Write x[:] = a.relu(x) for relu_, fix_ (trunc) and a_*.",
            (),
            ["x[:] = a.relu(x)", "relu_", "fix_"],
        ),
        ("x = y is none, x = mindspore.ops.relu(y) is.", (), ["x = mindspore.ops.relu(y)"]),
        (
            "x += y, net.weight *= 0.5 and x[i, j] //= f(y) add, v[:] = value writes.",
            (),
            ["x += y", "net.weight *= 0.5", "x[i, j] //= f(y)", "v[:] = value"],
        ),
        ("In x[i] += y and x **=, a != b is none.", (), ["x[i] += y", "x **="]),
    ],
)
def test_names_in_a_text_are_code(said: str, names: tuple[str, ...], found: list[str]) -> None:
    shown = prose.told(said, names)
    assert [text(name) for name in re.findall("<code>(.*?)</code>", shown)] == found
    assert text(shown) == said.replace("`", "")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("torch.cat", "torch.cat"),
        ("torch.nn.functional.scaled_dot_product_attention",
         "torch.<wbr>nn.<wbr>functional.<wbr>scaled_<wbr>dot_<wbr>product_<wbr>attention"),
        ("www.mindspore.cn/docs/en/mindspore.nn.html",
         "www.<wbr>mindspore.<wbr>cn/<wbr>docs/<wbr>en/<wbr>mindspore.<wbr>nn.<wbr>html"),
        ("torch.Tensor.__getitem__.more.of.it",
         "torch.<wbr>Tensor.__getitem__.<wbr>more.<wbr>of.<wbr>it"),
    ],
)  # fmt: skip
def test_a_long_name_breaks_between_its_parts(name: str, shown: str) -> None:
    assert prose.name_of(name) == shown


@pytest.mark.parametrize(
    ("expression", "heading"),
    [
        ("mindspore.ops.sum({x}, {dim})", ("mindspore.ops.sum",)),
        ("{self} + {other}", ()),
        ("mindspore.a(mindspore.b(mindspore.c({x})))", ()),
    ],
)
def test_a_heading_has_no_placeholders(expression: str, heading: tuple[str, ...]) -> None:
    assert prose.composed(expression) == heading
    assert "{" not in prose.expression(expression)


def test_an_expression_breaks_between_the_parts_of_its_names() -> None:
    assert prose.expression("{self}.copy_(mindspore.ops.relu({other}))") == (
        "<var>self</var>.<wbr>copy_(<wbr>mindspore.<wbr>ops.<wbr>relu(<var>other</var>))"
    )


@pytest.mark.parametrize(
    ("accepted", "chinese"),
    [
        ("", False), ("*", False), ("en", False), ("de,fr;q=0.5", False), ("zh", True),
        ("zh-CN,zh;q=0.9,en;q=0.8", True), ("zh-TW", True), ("en-US,en;q=0.9,zh;q=0.8", False),
        ("de, zh;q=0.5, en;q=0.4", True), ("zh;q=0, en", False), ("zh;q=x", False), ("ZH", True),
        ("zh,en", True), ("en,zh", False),
    ],
)  # fmt: skip
def test_which_language_a_browser_asks_for(accepted: str, chinese: bool) -> None:
    assert languages.chinese(accepted) == chinese
