"""What stands in an open file, by the files beside it as they stand in the editor."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.code import files
from msmap.editor.analysis import Analyst, Asked, Stale
from msmap.editor.lines import Lines
from msmap.editor.tree import Tree
from msmap.infer.modules import Modules
from msmap.query.knowledge_base import KnowledgeBase

USES = "import torch\nfrom shared import make\ny = make(0.5)\n"
SHARED = "import torch\n\n\ndef make(p):\n    return torch.nn.Dropout(p)\n"


@pytest.fixture(autouse=True)
def small(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSMAP_DB", str(database))


def asked(folder: Path, **opened: str) -> Asked:
    """The first of some files, all open."""
    texts = {str(folder / f"{name}.py"): text for name, text in opened.items()}
    return Asked(next(iter(texts)), texts, folder)


def test_newer_text_ends_it(tmp_path: Path) -> None:
    looks: list[int] = []

    def is_stale() -> bool:
        looks.append(1)
        return len(looks) > 3

    with pytest.raises(Stale):
        Analyst().analyse(asked(tmp_path, m=SHARED * 50), is_stale)
    assert len(looks) == 4


def test_a_file_is_known_by_those_beside_it_as_they_are_open(tmp_path: Path) -> None:
    """Not as they stand on the disk."""
    (tmp_path / "shared.py").write_text("make = print\n", encoding="utf-8")
    found = Analyst().analyse(asked(tmp_path, uses=f"{USES}y.size(0)\n", shared=""), lambda: False)
    assert [site.rule for site in found.sites] == ["possible"]


def test_what_any_file_trains_is_trained(tmp_path: Path, kb: KnowledgeBase) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    tree = Tree(tmp_path)
    before = tree.trains({}, str(tmp_path / "b.py"))
    (tmp_path / "a.py").write_text("model.train()\n", encoding="utf-8")
    after = tree.trains({}, str(tmp_path / "b.py"))
    opened = tree.trains({str(tmp_path / "a.py"): "x = 1\n"}, str(tmp_path / "b.py"))
    assert (before, after, opened) == (False, True, False)


def test_words_are_found_as_a_scan_finds_them(tmp_path: Path, kb: KnowledgeBase) -> None:
    for name, text in (("a", "one two"), ("b", "two + _three"), ("c", "two2, 2two, größe")):
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    tree = Tree(tmp_path)
    scanned = Modules(map(Path, tree.files), kb, lambda path: files.read(path).text)
    seen = tree.modules({}, kb)
    for word, names in {
        "one": "a", "two": "ab", "_three": "b", "three": "", "two2": "c", "größe": "c",
    }.items():  # fmt: skip
        wanted = {str(tmp_path / f"{name}.py") for name in names}
        assert (seen.saying(word), scanned.saying(word)) == (wanted, wanted)
    assert tree.modules({str(tmp_path / "a.py"): ""}, kb).saying("one") == set()


def test_what_a_file_beside_it_passes_to_a_function_counts(tmp_path: Path) -> None:
    """Its own calls alone prove nothing then: a scan says that, too."""
    code = "import torch\ndef f(x): return x.size(0)\nf(torch.nn.Dropout(0.5))\n"
    found = Analyst().analyse(asked(tmp_path, uses=code), lambda: False)
    assert "possible" not in [site.rule for site in found.sites]
    (tmp_path / "other.py").write_text("from uses import f\nf(1)\n", encoding="utf-8")
    found = Analyst().analyse(asked(tmp_path, uses=code), lambda: False)
    assert "possible" in [site.rule for site in found.sites]


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_columns_are_counted_in_units(encoding: str, units: int) -> None:
    lines = Lines("x\r\n\U0001f600'\u4e2d\r\f\n", encoding)  # type: ignore[arg-type]
    assert lines.units(2, 2) == (1, units)
    assert lines.place(1, units) == (2, 2)
    assert (lines.place(1, 99), lines.place(9, 9), lines.units(9, 9)) == ((2, 3), (4, 0), (3, 0))
    assert len(lines.all) == 4
