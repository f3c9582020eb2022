"""`%load_ext msmap` in a notebook that a kernel runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from msmap.query.knowledge_base import KnowledgeBase

EVIL = "<img src=x onerror=alert(1)>"
CELLS = {
    "load": "%load_ext msmap",
    "call": "%msmap nn.Dropout(0.5)",
    "names": "%msmap torch.cat torch.nn.GELU",
    "import": "%%msmap\nimport torch.nn.functional as F, torch\nfrom torch import nn",
    "cell": "%%msmap\ndrop = nn.Dropout(0.1)\ny = torch.strange(drop)",
    "below": "%%msmap\nz = torch.cat([drop(x)])  # of a cell before",
    "next": "%%msmap --next\nw = nn.Dropout(0.2)",
    "broken": "%%msmap\ndef f(:",
    "evil": f"%%msmap\ns = '''```{EVIL}\n</code></pre>{EVIL}'''; torch.cat([s])",
    "evil-name": f"%msmap {EVIL}",
    "miss": "%msmap nn.Dropot",
    "option": "%msmap --lang fr torch.cat",
    "release": "%msmap -m 9 torch.cat",
    "nothing": "%msmap",
    "once": "%msmap -l zh torch.cat",
    "then": "%msmap torch.cat",
    "chinese": "%msmap -l zh",
    "in-chinese": "%msmap torch.cat",
    "library": "import msmap\nkb = msmap.open()\nkb.lookup('torch.cat')",
    "ported": "kb.port('torch.cat([x])')",
    "scanned": "from msmap.query.projects import scan as scanning\nscanning.scan(kb, ['m.py'])",
    "guide": "kb.guide('training')",
    "plain": "print(repr(kb.lookup('torch.cat'))[:30])",
}


@pytest.fixture(scope="module")
def run(database: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The outputs of each cell, of one notebook that runs from first to last."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "m.py").write_text(f"import torch\ntorch.strange('{EVIL}')\n", encoding="utf-8")
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(text) for text in CELLS.values()]
    )
    homes = ("HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    with pytest.MonkeyPatch.context() as patch:
        for name in homes:
            patch.setenv(name, str(folder / name.lower()))
        client = NotebookClient(
            notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": folder}}
        )
        client.execute(env=os.environ | {"MSMAP_DB": str(database), "LC_ALL": "C"})
    return {
        name: cell.outputs for name, cell in zip(CELLS, notebook.cells, strict=True)
    }  # fmt: skip


def shown(outputs: list[Any], kind: str) -> str:
    [data] = [o.data for o in outputs if "data" in o]
    return str(data[kind])


def said(outputs: list[Any]) -> str:
    return "".join(o.text for o in outputs if o.output_type == "stream")


def test_a_call_is_looked_up(run: dict[str, Any]) -> None:
    assert shown(run["call"], "text/markdown").startswith(
        "## `torch.nn.Dropout` → `mindspore.nn.Dropout`\n\n"
        "Zeroes elements at random while training.\n\n"
        "```python\n# PyTorch\nnn.Dropout(0.5)\n# MindSpore\nmindspore.nn.Dropout(p=0.5)\n```\n"
    )
    page = shown(run["call"], "text/html")
    assert "<h2><code>torch.nn.Dropout</code> → <code>mindspore.nn.Dropout</code></h2>" in page
    assert "<strong>silent</strong>: The first position is keep_prob." in page
    assert shown(run["call"], "text/plain").startswith("torch.nn.Dropout -> mindspore.nn.Dropout\n")
    assert shown(run["names"], "text/html").count("<h2>") == 2


def test_a_cell_is_ported_beside_itself(run: dict[str, Any]) -> None:
    """With what the cells above import, and what stays with its reason."""
    assert shown(run["cell"], "text/markdown") == (
        "**PyTorch**\n\n```python\ndrop = nn.Dropout(0.1)\ny = torch.strange(drop)\n```\n\n"
        "**MindSpore**\n\n```python\nfrom mindspore import nn\n"
        "drop = nn.Dropout(p=0.1).set_train()\ny = torch.strange(drop)\n```\n\n"
        "- 2:5 `torch.strange(drop)`: torch.strange is no name of PyTorch that msmap knows"
    )
    page = shown(run["cell"], "text/html")
    assert '<div class="sides"><div><b>PyTorch</b><pre><code>drop = nn.Dropout(0.1)' in page
    assert "<li>2:5 <code>torch.strange(drop)</code>: torch.strange is no name" in page


def test_a_cell_knows_what_cells_before_it_say(run: dict[str, Any]) -> None:
    assert "mint.cat([drop(x)])  # of a cell before" in shown(run["below"], "text/markdown")


def test_a_port_can_come_into_the_next_cell(run: dict[str, Any]) -> None:
    assert "nn.Dropout(p=0.2)" in shown(run["next"], "text/plain")


def test_what_is_no_python_says_so(run: dict[str, Any]) -> None:
    assert "- not Python: line 1: invalid syntax" in shown(run["broken"], "text/markdown")


@pytest.mark.parametrize("name", [name for name in CELLS if name != "load"])
def test_nothing_becomes_markup(name: str, run: dict[str, Any]) -> None:
    """Neither what stands in code or records nor what was asked for."""
    for output in run[name]:
        page = output.get("data", {}).get("text/html", "")
        assert "<img" not in page
        assert "<script" not in page
        assert page.count("<div") == page.count("</div>")
        assert output.output_type != "error"


def test_code_that_ends_a_block_is_shown_as_it_is(run: dict[str, Any]) -> None:
    page = shown(run["evil"], "text/html")
    assert page.count("```&lt;img src=x onerror=alert(1)&gt;") == 2
    assert "````python\ns = '''```<img" in shown(run["evil"], "text/markdown")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("miss", 'msmap: "nn.Dropot" is not a name of PyTorch or MindSpore\n'
                 "nearest: torch.nn.Dropout, "),
        ("evil-name", f'msmap: "{EVIL}" is not a name of PyTorch or MindSpore\n'),
        ("option", 'msmap: --lang "fr": one of en, zh\n'),
        ("release", 'msmap: MindSpore release "9": one of 2.10.0\n'),
        ("nothing", "%msmap [-l en|zh] [-d ascend|gpu|cpu] [-m RELEASE] NAME..., or %%msmap"
                    " [--next]\n"),
        ("chinese", ""),
        ("plain", "Record(torch='torch.cat', kind\n"),
    ],
)  # fmt: skip
def test_what_is_said(name: str, text: str, run: dict[str, Any]) -> None:
    assert said(run[name]).startswith(text)
    assert bool(said(run[name])) == bool(text)


def test_without_what_makes_html_there_is_markdown(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = kb.lookup("torch.cat")
    monkeypatch.setitem(sys.modules, "nh3", None)
    assert (record._repr_html_(), record._repr_markdown_().splitlines()[0]) == (
        None, "## `torch.cat` → `mindspore.mint.cat`",
    )  # fmt: skip


def test_what_is_chosen_holds_from_there_on(run: dict[str, Any]) -> None:
    assert "沿指定维度拼接张量。" in shown(run["in-chinese"], "text/html")
    assert "沿指定维度拼接张量。" in shown(run["library"], "text/html")


def test_what_a_line_chooses_holds_for_it_alone(run: dict[str, Any]) -> None:
    assert "沿指定维度拼接张量。" in shown(run["once"], "text/html")
    assert "Joins tensors along a dimension." in shown(run["then"], "text/html")


@pytest.mark.parametrize(
    ("name", "html"),
    [
        ("library", "<h2><code>torch.cat</code> → <code>mindspore.mint.cat</code></h2>"),
        ("ported", "<code>mindspore.mint.cat([x])</code>"),
        ("scanned", "<h1>msmap scan</h1>"),
        ("guide", "<h1>"),
    ],
)
def test_what_the_library_gives_shows_itself(name: str, html: str, run: dict[str, Any]) -> None:
    assert html in shown(run[name], "text/html")
    assert shown(run[name], "text/markdown")
