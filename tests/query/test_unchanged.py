"""What is kept of a tree: a file that changes costs itself, and those that depend on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from msmap.model import Unread
from msmap.port import project as porting
from msmap.port.project import Done
from msmap.query.knowledge_base import KnowledgeBase
from msmap.query.projects import port as projects
from msmap.query.projects import scan as scanning
from msmap.scan import find

LAYER = "import torch\n\n\ndef make():\n    return torch.nn.Dropout(0.5)\n"
NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "source": ["from far import make\n", "make().train()"],
         "metadata": {}, "outputs": [], "execution_count": None},
    ],
    "metadata": {}, "nbformat": 4, "nbformat_minor": 5,
}  # fmt: skip
TREE = {
    "near.py": LAYER,
    "far.py": "from near import make\n",
    "uses.py": "import torch\nfrom far import make\nmake().train()\n",
    "lazy.py": "import torch\ndef f():\n    import near\n    near.make().train()\n",
    "alone.py": "import torch\ndef hidden(x): return x.size(0)\nhidden(torch.cat([a]))\n",
    "plain.py": "import os\nimport helpers\n",
    "pack/__init__.py": "",
    "pack/inner.py": "import torch\nfrom . import other\nother.make().train()\n",
    "pack/other.py": LAYER,
    "book.ipynb": json.dumps(NOTEBOOK),
}
EVERY = {*TREE}


def change(**texts: str) -> Callable[[], None]:
    """Write files; those without a text go."""

    def make() -> None:
        for name, text in texts.items():
            path = Path(name)
            if not text:
                path.unlink()
                continue
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")

    return make


CHANGES: dict[str, tuple[Callable[[], None], set[str]]] = {
    "nothing": (change(), set()),
    "a comment": (change(**{"near.py": f"{LAYER}# more\n"}),
                  {"near.py", "far.py", "uses.py", "lazy.py", "book.ipynb"}),
    "what others import is another thing": (
        change(**{"near.py": "def make():\n    return 3\n"}),
        {"near.py", "far.py", "uses.py", "lazy.py", "book.ipynb"},
    ),
    "what nobody imports": (change(**{"uses.py": "x = 1\n"}), {"uses.py"}),
    "a notebook": (change(**{"book.ipynb": json.dumps(NOTEBOOK | {"nbformat_minor": 4})}),
                   {"book.ipynb"}),
    "in a package": (change(**{"pack/other.py": "make = print\n"}),
                     {"pack/other.py", "pack/inner.py"}),
    "the package itself": (change(**{"pack/__init__.py": "other = 1\n"}),
                           {"pack/__init__.py", "pack/inner.py"}),
    "no Python any more": (change(**{"near.py": "x = ("}),
                           {"near.py", "far.py", "uses.py", "lazy.py", "book.ipynb"}),
    "another file says what a function is called": (
        change(**{"plain.py": "from alone import hidden\nhidden(3)\n"}),
        {"plain.py", "alone.py"},
    ),
    "a file comes that nobody names": (change(**{"strange.py": "x = 1\n"}), {"strange.py"}),
    "a file comes that one imports": (change(**{"helpers.py": LAYER}), {"helpers.py", "plain.py"}),
    "a folder comes before a module": (change(**{"far/near.py": "make = print\n"}),
                                       {"far/near.py", "far.py", "uses.py", "lazy.py",
                                        "book.ipynb"}),
    "a file goes": (change(**{"near.py": ""}), {"far.py", "uses.py", "lazy.py", "book.ipynb"}),
    "a file goes that nobody names": (change(**{"uses.py": ""}), set()),
    "a folder becomes a package": (change(**{"pack/__init__.py": ""}),
                                   EVERY - {"pack/__init__.py"}),
}  # fmt: skip


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A tree in the current folder, and the names of its files that are read again."""
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    monkeypatch.setenv("MSMAP_CACHE", str(tmp_path / "cache"))
    change(**{name: text or "\n" for name, text in TREE.items()})()
    found: list[str] = []

    def watched(usual: Callable[..., Any]) -> Callable[..., Any]:
        def work(path: Path, *given: Any) -> Any:
            found.append(path.as_posix())
            return usual(path, *given)

        return work

    monkeypatch.setattr(porting, "port", watched(porting.port))
    monkeypatch.setattr(find, "scan", watched(find.scan))
    return found


def ported(kb: KnowledgeBase, kept: bool) -> list[Done | Unread]:
    return list(projects.port(kb, ["."], kept=kept))


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_change_costs(kb: KnowledgeBase, read: list[str], what: str) -> None:
    make, wanted = CHANGES[what]
    ported(kb, True)
    scanning.scan(kb, ["."], kept=True)
    make()
    read.clear()
    done = ported(kb, True)
    assert set(read) == wanted
    read.clear()
    scanned = scanning.scan(kb, ["."], kept=True)
    assert set(read) == wanted
    assert (done, scanned) == (ported(kb, False), scanning.scan(kb, ["."]))
    read.clear()
    ported(kb, True)
    assert read == [], "and once"


def test_what_depends_on_a_file_that_changes_meanwhile_is_not_kept(
    kb: KnowledgeBase, read: list[str]
) -> None:
    done = projects.port(kb, ["."], kept=True)
    next(done)
    Path("near.py").write_text(f"{LAYER}# more\n", encoding="utf-8")
    list(done)
    Path("near.py").write_text(LAYER, encoding="utf-8")
    read.clear()
    assert ported(kb, True) == ported(kb, False)
    assert set(read[: -len(TREE)]) >= {"near.py", "far.py", "uses.py", "lazy.py", "book.ipynb"}
