"""What a scan finds in a file: each place, what is known of it, and what is to be said."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from tests.builders.support import base, function, layer, method

from msmap.assemble.base import Base
from msmap.code import files
from msmap.infer.modules import Modules
from msmap.scan import find
from msmap.scan.report import Scanned

CAVEAT = """
targets: [{{api: {api}}}]
caveats:
  - id: bites
    impact: {impact}
    when: {when}
    text: {{en: Look out., zh: 注意。}}
    shown_by: [c]
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Base:
    """A PyTorch with a name of each kind."""
    return base(
        tmp_path_factory.mktemp("facts"),
        [
            *(function(f"torch.{name}", "(x, dim=0) -> Tensor")
              for name in ("plain", "silent", "loud", "gone", "unwritten", "compile")),
            layer("torch.nn.Moody", "()", call="(x)"),
            method("torch.Tensor.view", "(*size) -> Tensor"),
        ],
        [
            *(function(f"mindspore.{name}", "(x, dim=0)") for name in ("plain", "silent", "loud")),
            layer("mindspore.nn.Moody", "()", call="(x)"),
            method("mindspore.Tensor.view", "(*size)"),
        ],
        ("torch.plain", "targets: [{api: mindspore.plain}]\n"),
        ("torch.silent", CAVEAT.format(api="mindspore.silent", impact="silent", when="call")),
        ("torch.loud", CAVEAT.format(api="mindspore.loud", impact="error", when="call")),
        ("torch.gone", "missing: {en: There is none., zh: 没有。}\n"),
        ("torch.nn.Moody", CAVEAT.format(api="mindspore.nn.Moody", impact="silent", when="mode")),
        ("torch.Tensor.view", "targets: [{api: mindspore.Tensor.view}]\n"),
    )  # fmt: skip


def tree(path: Path, facts: Base) -> Modules:
    """The one file."""
    return Modules([path], facts, lambda file: files.read(file).text)


def scanned(folder: Path, facts: Base, code: str, name: str = "m.py") -> Scanned:
    """What a file with the code has."""
    path = folder / name
    path.write_text(dedent(code).lstrip("\n"), encoding="utf-8")
    return find.scan(path, tree(path, facts), name)


def brief(found: Scanned) -> list[tuple[object, ...]]:
    """Each place as line, column, certainty, status, rule and what it becomes."""
    return [(s.line, s.column, s.certainty, s.status, s.rule, s.state, s.port) for s in found.sites]


def test_places_are_found_with_what_becomes_of_them(tmp_path: Path, facts: Base) -> None:
    found = scanned(
        tmp_path, facts, """
        import torch

        def f(x, y):
            a = torch.plain(torch.silent(1))
            b = torch.loud(2, dim=1)
            torch.gone(a)
            torch.unwritten(a)
            torch.never(a)
            y.view(1)
            x.view(1)
            return a.view(2)
        """,
    )  # fmt: skip
    assert brief(found) == [
        (4, 8, "certain", "ready", "", "", "mindspore.plain(mindspore.silent(1))"),
        (4, 20, "certain", "care", "silent-caveat", "", "mindspore.silent(1)"),
        (5, 8, "certain", "care", "caveat", "", "mindspore.loud(2, dim=1)"),
        (6, 4, "certain", "missing", "missing", "", ""),
        (7, 4, "unknown", "unclear", "no-record", "", ""),
        (8, 4, "unknown", "unclear", "unknown-name", "", ""),
        (9, 4, "possible", "unclear", "possible", "", ""),
        (10, 4, "possible", "unclear", "possible", "", ""),
        (11, 11, "certain", "ready", "", "", "a.view(2)"),
    ]
    assert [site.apis for site in found.sites][3:7] == [
        ("torch.gone",), ("torch.unwritten",), ("torch.never",), ("torch.Tensor.view",),
    ]  # fmt: skip


def test_a_usual_name_makes_it_likely_and_no_more(tmp_path: Path, facts: Base) -> None:
    code = "import torch\ndef f(tensor, sock):\n    tensor.view(1)\n    sock.view(1)\n"
    assert [s.likely for s in scanned(tmp_path, facts, code).sites] == [True, False]


@pytest.mark.parametrize(("code", "found"), [("", ["mode"]), ("net.train()\n", [])])
def test_a_mode_bites_where_nothing_sets_it(
    tmp_path: Path, facts: Base, code: str, found: list[str]
) -> None:
    made = scanned(tmp_path, facts, f"import torch\na = torch.nn.Moody()\n{code}")
    assert [told.on for site in made.sites for told in site.caveats] == found


IGNORES = {
    "all rules": ("torch.gone(1)  # msmap: ignore", ["ignored"], []),
    "its rule": ("torch.gone(1)  # msmap: ignore[missing]", ["ignored"], []),
    "several": ("torch.gone(1)  # fine # msmap:ignore[ missing,caveat ]", ["ignored"], ["caveat"]),
    "another": ("torch.gone(1)  # msmap: ignore[caveat]", [""], ["caveat"]),
    "nothing to ignore": ("torch.plain(1)  # msmap: ignore", [""], [""]),
    "in a text": ("torch.gone('# msmap: ignore')", [""], []),
    "the last line": ("torch.gone(\n    1\n)  # msmap: ignore", ["ignored"], []),
    "a reason is no rule": ("torch.gone(1)  # msmap: no counterpart", [""], []),
}


@pytest.mark.parametrize(("code", "states", "unused"), IGNORES.values(), ids=IGNORES)
def test_comments_ignore_what_stands_on_their_line(
    tmp_path: Path, facts: Base, code: str, states: list[str], unused: list[str]
) -> None:
    found = scanned(tmp_path, facts, f"import torch\n{code}\n")
    assert [site.state for site in found.sites] == states
    assert [",".join(comment.rules) for comment in found.unused] == unused


def test_fingerprints_stay_where_lines_move_and_differ_where_code_is_alike(
    tmp_path: Path, facts: Base
) -> None:
    one = scanned(tmp_path, facts, "import torch\ntorch.gone(1)\ntorch.gone(1)\n")
    two = scanned(tmp_path, facts, "import torch\n\n\nif x:\n    torch.gone(1)\ntorch.gone( 1)\n")
    first, second = (site.fingerprint for site in one.sites)
    assert first != second
    assert two.sites[0].fingerprint == first


def test_columns_are_told_in_characters_and_in_utf16(tmp_path: Path, facts: Base) -> None:
    found = scanned(tmp_path, facts, "import torch\n'é😀'; torch.gone('😀')\n")
    assert [(s.column, s.end_column, s.utf16) for s in found.sites] == [(6, 21, (7, 23))]


def test_a_notebook_has_cells_and_their_lines(tmp_path: Path, facts: Base) -> None:
    cells = ["import torch\n", "%time x = 1\ntorch.gone(\n 1)\n", "print 'no'"]
    content = {
        "cells": [{"cell_type": "code", "source": text} for text in cells],
        "metadata": {}, "nbformat": 4,
    }  # fmt: skip
    found = scanned(tmp_path, facts, json.dumps(content), "n.ipynb")
    assert [(s.cell, s.line, s.end_line, s.source) for s in found.sites] == [
        (1, 2, 3, "torch.gone(\n 1)")
    ]
    assert [(told.path, told.kind) for told in found.unread] == [("n.ipynb", "not_python")]


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"print 'x'\n", "python_2"), (b"def\n", "not_python"), (b"a\0b", "binary"),
     (b"# coding: klingon\n", "encoding"), (b"\xff", "encoding")],
)  # fmt: skip
def test_what_cannot_be_read_is_told(
    tmp_path: Path, facts: Base, content: bytes, kind: str
) -> None:
    path = tmp_path / "bad.py"
    path.write_bytes(content)
    found = find.scan(path, tree(path, facts), "bad.py")
    assert [(told.path, told.kind) for told in found.unread] == [("bad.py", kind)]
    assert replace(found, unread=()) == Scanned("bad.py", (), ())


def test_code_without_pytorch_has_no_places(tmp_path: Path, facts: Base) -> None:
    assert brief(scanned(tmp_path, facts, "import numpy as np\nnp.zeros(3).view(1)\n")) == []


def test_a_file_whose_name_is_no_text_is_read(tmp_path: Path, facts: Base) -> None:
    found = scanned(tmp_path, facts, "import torch\ntorch.gone(1)\n", os.fsdecode(b"\xff.py"))
    assert [(site.rule, len(site.fingerprint)) for site in found.sites] == [("missing", 16)]
