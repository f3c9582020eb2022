"""Lines above what was left as it was: where they stand, and that a second run changes none."""

from __future__ import annotations

import ast

import pytest

from msmap.code.source import Change, Source
from msmap.port import comments
from msmap.port.comments import Left

C = "# msmap: why; msmap lookup f"


def marked(code: str, *changes: Change, reason: str = "why") -> str:
    """Code with a comment above each call of ``f``, and other changes."""
    source = Source(code)
    left = [
        Left(source.span(node)[0], reason, "msmap lookup f")
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "f"
    ]
    return source.replaced(source.tree, comments.above(source, left, list(changes)))


PLACES = {
    "a statement": ("a = 1\nf(a)\n", f"a = 1\n{C}\nf(a)\n"),
    "the first": ("f(1)", f"{C}\nf(1)"),
    "twice in one statement": ("a = f(1) + f(2)\n", f"{C}\na = f(1) + f(2)\n"),
    "in a block": ("if a:\n\tb\n\tf(a)\n", f"if a:\n\tb\n\t{C}\n\tf(a)\n"),
    "in the middle of a statement": (
        "def g():\n    return [\n        1,\n        f(2),\n    ]\n",
        f"def g():\n    {C}\n    return [\n        1,\n        f(2),\n    ]\n",
    ),
    "behind a backslash": ("a = 1 + \\\n    f(2)\n", f"{C}\na = 1 + \\\n    f(2)\n"),
    "on a line of its own behind one": (
        "if a: \\\n    f(2)\n",
        f"{C}\nif a: \\\n    f(2)\n",
    ),
    "behind a comment that ends in a backslash": (
        "a\n# b \\\nf(2)\n",
        f"a\n# b \\\n{C}\nf(2)\n",
    ),
    "behind a semicolon": ("a = 1; f(a)\n", f"{C}\na = 1; f(a)\n"),
    "behind a text of several lines": (
        'a = """\nb"""; f(a)\n',
        f'{C}\na = """\nb"""; f(a)\n',
    ),
    "in a text of several lines": (
        'f("""\nf(1)\n""")\n',
        f'{C}\nf("""\nf(1)\n""")\n',
    ),
    "a compound statement on one line": ("if a: f(a)\n", f"{C}\nif a: f(a)\n"),
    "behind a header of several lines": (
        "if (a and\n    b): f(a)\n",
        f"{C}\nif (a and\n    b): f(a)\n",
    ),
    "in a header": ("while f(a):\n    b\n", f"{C}\nwhile f(a):\n    b\n"),
    "elif": (
        "if a:\n    b\nelif f(a):\n    c\n",
        f"if a:\n    b\n{C}\nelif f(a):\n    c\n",
    ),
    "else on one line": ("if a: b\nelse: f(a)\n", f"if a: b\n{C}\nelse: f(a)\n"),
    "except": (
        "try:\n    a\nexcept f(a):\n    b\nfinally: f(a)\n",
        f"try:\n    a\n{C}\nexcept f(a):\n    b\n{C}\nfinally: f(a)\n",
    ),
    "case": (
        "match a:\n  case 1 if f(a):\n    b\n  case 2: f(b)\n",
        f"match a:\n  {C}\n  case 1 if f(a):\n    b\n  {C}\n  case 2: f(b)\n",
    ),
    "a decorator": ("@a\n@f(1)\ndef g(): pass\n", f"@a\n{C}\n@f(1)\ndef g(): pass\n"),
    "a default below a decorator": (
        "@a\ndef g(b=f(1)):\n    pass\n",
        f"@a\n{C}\ndef g(b=f(1)):\n    pass\n",
    ),
    "a lambda and a comprehension": (
        "a = [\n    (lambda: f(b))()\n    for b in f(c)\n]\n",
        f"{C}\na = [\n    (lambda: f(b))()\n    for b in f(c)\n]\n",
    ),
    "behind a form feed": ("a\n\ff(1)\n", f"a\n{C}\n\ff(1)\n"),
    "behind a mark of the byte order": ("\ufefff(1)\n", f"\ufeff{C}\nf(1)\n"),
    "below a coding cookie": (
        "#!python\n# coding: latin-1\nf('é')\n",
        f"#!python\n# coding: latin-1\n{C}\nf('é')\n",
    ),
    "line breaks of Windows": ("a\r\nif b:\r\n  f(1)", f"a\r\nif b:\r\n  {C}\r\n  f(1)"),
    "line breaks of old": ("a\rf(1)\r", f"a\r{C}\rf(1)\r"),
    "behind other letters": ("é = 'ü'; f(1)\né; f(é)\n", f"{C}\né = 'ü'; f(1)\n{C}\né; f(é)\n"),
}


@pytest.mark.parametrize("case", PLACES.values(), ids=PLACES)
def test_a_comment_stands_above_its_statement(case: tuple[str, str]) -> None:
    code, expected = case
    assert marked(code) == expected
    assert ast.dump(ast.parse(expected.lstrip("\ufeff"))) == ast.dump(
        ast.parse(code.lstrip("\ufeff"))
    )
    assert marked(expected) == expected, "a second run changes nothing"


G = "# msmap: no; msmap lookup g"
AGAIN = {
    "said anew": ("# msmap: old; msmap lookup f\nf(1)\n", f"{C}\nf(1)\n"),
    "said anew, and indented as the line is": (
        "if a:\n# msmap: old; msmap lookup f\n    f(1)\n",
        f"if a:\n    {C}\n    f(1)\n",
    ),
    "of something else": (f"{G}\nf(1)\n", f"{G}\n{C}\nf(1)\n"),
    "of something else, around": (
        f"{G}\n# msmap: old; msmap lookup f\n# msmap: by hand\nf(1)\n",
        f"{G}\n{C}\n# msmap: by hand\nf(1)\n",
    ),
    "of what is no longer left": (f"{G}\ng(1)\n", f"{G}\ng(1)\n"),
    "of another statement": (f"{G}\n\nf(1)\n", f"{G}\n\n{C}\nf(1)\n"),
    "what tells the scan to pass over": (
        "# msmap: ignore\n# msmap: ignore[missing]\nf(1)\n",
        f"# msmap: ignore\n# msmap: ignore[missing]\n{C}\nf(1)\n",
    ),
    "the end of a text": (
        'a = """\n# msmap: old; msmap lookup f"""\nf(1)\n',
        f'a = """\n# msmap: old; msmap lookup f"""\n{C}\nf(1)\n',
    ),
    "with a guide": (
        "# msmap: old; msmap lookup f; msmap guide g\nf(1)\n",
        f"{C}\nf(1)\n",
    ),
    "several lines": (
        "# msmap: why; msmap lookup f\n# msmap:  more\n# msmap:  of it\nf(1)\n",
        f"{C}\nf(1)\n",
    ),
}


@pytest.mark.parametrize("case", AGAIN.values(), ids=AGAIN)
def test_what_an_earlier_run_said_is_replaced(case: tuple[str, str]) -> None:
    code, expected = case
    assert marked(code) == expected
    assert marked(expected) == expected


def test_further_lines_of_a_reason_stand_below() -> None:
    once = f"if a:\n    {C}\n    # msmap:  do\n    # msmap:    this\n    f(1)\n"
    assert marked("if a:\n    f(1)\n", reason="why\ndo\n  this") == once
    assert marked(once, reason="why\ndo\n  this") == once


def test_a_guide_is_named_behind() -> None:
    source = Source("f(1)\n")
    left = [Left(0, "why.", "msmap lookup f", "dropout")]
    text = "# msmap: why; msmap lookup f; msmap guide dropout\n"
    assert comments.above(source, left, []) == [(0, 0, text)]


CHANGED = {
    "what is replaced": ("a\nf(1)\n", (2, 6, "g()"), f"a\n{C}\ng()\n"),
    "lines that are replaced": (
        "if a:\n    b\n    f(1)\n",
        (10, 20, "g()"),
        f"if a:\n    {C}\n    g()\n",
    ),
    "what is put in before": ("a\nf(1)\n", (2, 2, "b\n"), f"a\nb\n{C}\nf(1)\n"),
    "an indent that shrinks": ("if a:\n    f(1)\n", (6, 8, ""), f"if a:\n  {C}\n  f(1)\n"),
    "another indent": ("if a:\n    f(1)\n", (6, 10, "\t"), f"if a:\n\t{C}\n\tf(1)\n"),
    "a line that goes": ("a\nf(1)\n", (0, 2, ""), f"{C}\nf(1)\n"),
}


@pytest.mark.parametrize("case", CHANGED.values(), ids=CHANGED)
def test_comments_stand_beside_other_changes(case: tuple[str, Change, str]) -> None:
    code, change, expected = case
    assert marked(code, change) == expected
