"""Files and lines that have to do with PyTorch, and don't import it."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from msmap.infer.modules import Modules
from msmap.port import project
from msmap.port.project import Done
from msmap.query.knowledge_base import KnowledgeBase


def port(facts: KnowledgeBase, folder: Path, name: str, **files: str) -> Done:
    """What becomes of one of some files of a tree."""
    for one, text in files.items():
        path = folder / f"{one}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    done = project.port(folder / name, Modules(folder.rglob("*.py"), facts))
    assert isinstance(done, Done)
    return done


NET = """
import torch
import torch.nn as nn
from torch.nn import functional as F
"""
STAR = "from models import *\ndef run(x):\n    return F.softmax(torch.cat([x, x]), dim=1)\n"
PORTED = (
    "mindspore\nfrom models import *\ndef run(x):\n"
    "    return mindspore.mint.nn.functional.softmax(mindspore.mint.cat([x, x]), dim=1)\n"
)
STARS = {
    "a file": {"models": NET},
    "a package": {"models/__init__": "from .net import *", "models/net": NET},
    "a file of a file": {"models": "from base import *", "base": NET},
    "one that lists them": {"models": f'__all__ = ["torch", "F"]\n{NET}'},
}
NOT_BROUGHT = {
    "no such file": {},
    "one that imports from no such file": {"models": "from missing import *"},
}


@pytest.mark.parametrize("files", STARS.values(), ids=STARS)
def test_what_a_star_brings_from_the_tree_is_ported(
    facts: KnowledgeBase, tmp_path: Path, files: dict[str, str]
) -> None:
    done = port(facts, tmp_path, "a.py", a=STAR, **files)
    assert done.text.partition("import ")[2] == PORTED
    assert done.told.left == 0


@pytest.mark.parametrize("files", NOT_BROUGHT.values(), ids=NOT_BROUGHT)
def test_what_a_star_may_bring_is_said_where_nobody_can_look(
    facts: KnowledgeBase, tmp_path: Path, files: dict[str, str]
) -> None:
    done = port(facts, tmp_path, "a.py", a=STAR, **files)
    assert [(one.kind, one.source, one.command) for one in done.told.refusals] == [
        ("possible", "F.softmax(torch.cat([x, x]), dim=1)",
         "msmap lookup torch.nn.functional.softmax"),
        ("possible", "torch.cat([x, x])", "msmap lookup torch.cat"),
    ]  # fmt: skip
    comment = "    # msmap: torch.cat may be torch.cat: it comes by `from models import *`, a file"
    assert comment in done.text
    again = port(facts, tmp_path, "a.py", a=done.text, **files)
    assert again.text == done.text


def test_a_name_that_the_code_binds_itself_is_not_brought(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    code = "from missing import *\nimport torch\ndef run(nn, F):\n    return nn.Linear, F.relu\n"
    done = port(facts, tmp_path, "a.py", a=code)
    assert done.told.refusals == ()


def test_a_name_that_a_star_does_not_bring_stays(facts: KnowledgeBase, tmp_path: Path) -> None:
    models = "import torch as _torch\n__all__ = ['other']\nother = 1\n"
    code = "from models import *\ndef run(x):\n    return _torch.cat([x]), other\n"
    assert port(facts, tmp_path, "a.py", a=code, models=models).text == code


LOOP = """
def fit(net, opt, criterion, loader, device):
    net.train()
    for x, y in loader:
        x = x.to(device)
        opt.zero_grad()
        loss = criterion(net(x).sum(), y)
        loss.backward()
        opt.step()
"""


def test_a_loop_that_others_hand_everything_to_is_said_to_train(
    facts: KnowledgeBase, tmp_path: Path
) -> None:
    done = port(facts, tmp_path, "loop.py", loop=LOOP, a="import torch, loop\n")
    told = [(one.line, one.kind, one.source) for one in done.told.refusals]
    assert told == [
        (2, "possible", "net.train()"),
        (4, "possible", "x.to(device)"),
        (5, "possible", "opt.zero_grad()"),
        (7, "missing", "loss.backward()"),
        (8, "possible", "opt.step()"),
    ]
    again = port(facts, tmp_path, "loop.py", loop=done.text, a="import torch, loop\n")
    assert again.text == done.text


ONLY_ASKED = "def look(net, x, device):\n    net.eval()\n    return net(x.to(device)).sum()\n"


@pytest.mark.parametrize(
    ("reader", "expected"),
    [("import torch, loop\n", ["net.eval()", "x.to(device)"]), ("import loop\n", [])],
    ids=["by what imports PyTorch", "by what doesn't"],
)
def test_a_file_is_asked_if_what_imports_it_uses_pytorch(
    facts: KnowledgeBase, tmp_path: Path, reader: str, expected: list[str]
) -> None:
    done = port(facts, tmp_path, "loop.py", loop=ONLY_ASKED, a=reader)
    assert [one.source for one in done.told.refusals] == expected


NOT_PYTORCH = {
    "another framework": "import mxnet\ndef f(loss):\n    loss.backward()\n",
    "its own": "class T:\n    def backward(self): ...\ndef f(loss):\n    loss.backward()\n",
    "an environment": "def f(env, a):\n    return env.step(a), env.train(1, 2)\n",
}


@pytest.mark.parametrize("code", NOT_PYTORCH.values(), ids=NOT_PYTORCH)
def test_methods_of_others_are_left_alone(facts: KnowledgeBase, tmp_path: Path, code: str) -> None:
    done = port(facts, tmp_path, "loop.py", loop=code, a="import torch, loop\n")
    assert (done.text, done.told.refusals) == (code, ())


FRAGMENT = """
optimizer.zero_grad()
loss = criterion(model(x), y)
loss.backward()
optimizer.step()
"""
STEP = """
def forward_fn():
    loss = criterion(model(x), y)
    return loss

grad_fn = mindspore.value_and_grad(forward_fn, None, optimizer.parameters)
loss, grads = grad_fn()
optimizer(grads)
"""


def test_a_training_step_that_was_pasted_is_ported(facts: KnowledgeBase) -> None:
    done = facts.port(FRAGMENT)
    assert done.code is not None
    assert (done.code.strip(), done.refusals) == (STEP.strip(), ())


def test_of_unusual_names_it_is_said_that_nothing_proves_them(facts: KnowledgeBase) -> None:
    code = FRAGMENT.replace("optimizer", "thing")
    done = facts.port(code)
    assert done.code == code
    assert [one.source for one in done.refusals] == [
        "thing.zero_grad()", "loss.backward()", "thing.step()",
    ]  # fmt: skip


def test_the_same_step_in_a_file_stays_and_is_said(facts: KnowledgeBase, tmp_path: Path) -> None:
    done = port(facts, tmp_path, "a.py", a=FRAGMENT)
    kept = [line for line in done.text.splitlines() if not line.startswith("#")]
    assert kept == FRAGMENT.strip().splitlines()
    assert [one.source for one in done.told.refusals] == [
        "optimizer.zero_grad()", "loss.backward()", "optimizer.step()",
    ]  # fmt: skip


def test_what_gets_no_comment_is_listed(facts: KnowledgeBase, tmp_path: Path) -> None:
    code = (
        "import mindspore\nimport torch\ndef f(net, x):\n    return net.zero_grad(), torch.abs(x)\n"
    )
    done = port(facts, tmp_path, "a.py", a=code)
    assert "# msmap" not in done.text
    assert done.told.left == 1
    assert [(one.line, one.column, one.text.en) for one in done.told.notes] == [
        (4, 11, "not ported: .zero_grad() may be torch.nn.Module.zero_grad or"
                " torch.optim.Optimizer.zero_grad: nothing proves what net is"),
    ]  # fmt: skip


CELLS = {
    "python": ("x = torch.ones(3)", [], 0),
    "shell": ("%%bash\npip install torch", ["no Python cell: it stays"], 0),
    "another language": ("%%javascript\nalert(1)", ["no Python cell: it stays"], 0),
    "a command": ("!pip install torch\nx = torch.ones(3)", ["a command of the shell: it stays"], 0),
    "a known magic": ("%matplotlib inline\nx = torch.ones(3)", [], 0),
    "a magic on code": (
        "%timeit torch.ones(3)",
        ["not ported: a magic command: port the Python in it by hand"],
        1,
    ),
    "a file": (
        "%%writefile a.py\nimport torch",
        ["not ported: a magic command: port the Python in it by hand"],
        1,
    ),
    "no Python": ("let x = 3;\ny = {", ["not ported: not Python: invalid syntax"], 1),
}


@pytest.mark.parametrize(("cell", "expected", "left"), CELLS.values(), ids=CELLS)
def test_cells_that_are_not_python_are_said_and_the_rest_is_ported(
    facts: KnowledgeBase, tmp_path: Path, cell: str, expected: list[str], left: int
) -> None:
    sources = ["import torch\ny = torch.zeros(2)", cell]
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": one} for one in sources]
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}), encoding="utf-8")
    done = project.port(path, Modules([path], facts))
    assert isinstance(done, Done)
    ported = [one["source"] for one in json.loads(done.text)["cells"]]
    assert "torch" not in ported[0]
    lines = cell.splitlines()
    kept = [line for line in lines if "x = torch" not in line]
    assert [line for line in ported[1].splitlines() if "mindspore" not in line] == kept
    said = [one.text.en for one in done.told.notes if one.cell == 1]
    assert [one for one in said if not one.startswith("torch.")] == expected
    assert done.told.left == left
