"""The rewriter on its page: partial code, and what is refused at its line."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest
from datasette.app import Datasette
from tests.builders.serving import get, text_of

from datasette_msmap import server


@pytest.fixture(scope="module")
def site(history: Path) -> Datasette:
    return server.site(history)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("nn.Dropout(0.1)", ["mindspore.nn.Dropout(p=0.1)"]),
        ("(", ["(", "needs attention: not Python: line 1: '(' was never closed"]),
        (
            "(" * 3000,
            ["(" * 3000, "needs attention: not Python: line 1: too many nested parentheses"],
        ),
        (
            "a\0b",
            ["ab", "needs attention: not Python: source code string cannot contain null bytes"],
        ),
    ],
)
def test_the_rewriter(site: Datasette, code: str, said: list[str]) -> None:
    """What became of the code, and below a line that stays why it does."""
    page = get(site, "/port", params={"code": code}).text
    (result,) = text_of(page, r"<code data-result>(.*?)</code>")
    assert unescape(result).rstrip("\n").split("\n") == said


@pytest.mark.parametrize("code", ["x" * 4001, "-" * 4000 + "x"])
def test_too_much_for_the_rewriter(site: Datasette, code: str) -> None:
    page = get(site, "/port", params={"code": code}).text
    said = text_of(page, r'<li class="refused">(.*?)</li>')
    assert said == ["line 1: the code is longer than 4000 characters"]


def test_what_is_refused_is_said_at_its_line(site: Datasette) -> None:
    """Also where lines before it have become more or fewer; the rest is rewritten."""
    code = "import torch\nx = torch.nn.Dropout(\n    0.1,\n)\ntorch.compile(x)\n"
    code += "y = torch.nn.Dropout(0.2)"
    page = get(site, "/port", params={"code": code}).text
    (result,) = text_of(page, r"<code data-result>(.*?)</code>")
    lines = result.rstrip("\n").split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith("needs attention"))
    assert lines[place - 1] == "torch.compile(x)"
    assert lines[-1] == "y = mindspore.nn.Dropout(p=0.2)"


@pytest.mark.parametrize("code", ["-" * 3999 + "x", "x" + ".a" * 1999, "not " * 999 + "x"])
def test_deep_code_is_answered(site: Datasette, code: str) -> None:
    """Whatever the parser makes of it, it is an answer, not an error."""
    assert get(site, "/port", params={"code": code}).status_code == 200
