"""What a port takes an argument for stands in the file unless the code proves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n"
CLASS = "class Net(nn.Module):\n    def __init__(self, dim, {0}):\n        super().__init__()\n"
PROVED = {
    "a literal": "nn.LayerNorm(8)",
    "an annotation": "def f(n: int):\n    return nn.LayerNorm(n), nn.Conv2d(3, 3, 1, padding=n)",
    "what may be None": "def f(n: int | None = 1):\n    return nn.Conv1d(3, 3, 1, padding=n)",
    "what takes ints alone": "def f(n):\n    return nn.LayerNorm(n), nn.Linear(n, 2 * n)",
    "what is computed": "def f(k):\n    return nn.Conv2d(3, 3, k, padding=k // 2)",
    "what is computed ahead": (
        "def f(k):\n    p = (k - 1) * 2\n    return nn.Conv2d(3, 3, k, padding=p)"
    ),
    "a choice": "def f(k, n):\n    return nn.Conv2d(3, 3, k, padding=0 if k == 1 else n // 2)",
    "a field of a dataclass": (
        "class C:\n    width: int = 3\ndef f(cfg):\n    return nn.LayerNorm(cfg.width)"
    ),
    "an option of a script": (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--width', type=int)\n"
        "args = p.parse_args()\nnn.LayerNorm(args.width)"
    ),
    "all calls": (
        "def f(n, p=1):\n    return nn.Conv2d(3, 3, 1, padding=p)\nf(3)\nf(3, 2)\nf(3, p=0)"
    ),
    "a class that is passed": (
        "class B(nn.Module):\n    def __init__(self, dim: int, norm=nn.LayerNorm):\n"
        "        super().__init__()\n        self.n = norm(dim)\nB(3)"
    ),
    "an item of a shape": "def f(x: torch.Tensor):\n    b, c = x.shape\n    return nn.LayerNorm(c)",
    "a pair": "nn.Fold((4, 4), 2)",
    "what is asked for": "def f(x, w):\n    return F.conv_transpose2d(x, x, bias=w, stride=2)",
}
OPEN = {
    "a parameter": ("def f(shape):\n    return nn.LayerNorm(shape)", "Taken for an int"),
    "a default alone": ("def f(p=1):\n    return nn.Conv2d(3, 3, 1, padding=p)", "must be an int"),
    "a text in a call": (
        "def f(p=1):\n    return nn.Conv1d(3, 3, 1, padding=p)\nf('same')", "must be an int",
    ),
    "a pair in a call": (
        "def f(p):\n    return nn.Conv2d(3, 3, 1, padding=p)\nf(1)\nf((1, 2))", "must be an int",
    ),
    "several axes": ("nn.LayerNorm((3, 4))", "one batch axis in front"),
    "the rest of a shape": ("def f(x):\n    return nn.LayerNorm(x.shape[1:])", "Taken for an int"),
    "an item of what is given": (
        "def f(dims):\n    return nn.ModuleList([nn.LayerNorm(d) for d in dims])",
        "Taken for an int",
    ),
    "a size": ("def f(n):\n    return nn.Fold(n, 2)", "must be written [n, n]"),
    "a function": ("def f(x, w, p):\n    return F.conv1d(x, w, padding=p)", "go to pad_mode"),
    "another base": (
        "class N(nn.LayerNorm):\n    def __init__(self, n):\n        super().__init__(n)",
        "Taken for an int",
    ),
    "a class that is passed": (
        "class B(nn.Module):\n    def __init__(self, dim, norm=nn.LayerNorm):\n"
        "        super().__init__()\n        self.n = norm(dim)\n",
        "Taken for an int",
    ),
}  # fmt: skip


def doubts(facts: KnowledgeBase, code: str) -> list[str]:
    return [one.reason.en for one in facts.port(f"{HEAD}{code}\n").refusals]


@pytest.mark.parametrize("name", PROVED)
def test_nothing_is_said_of_what_the_code_proves(facts: KnowledgeBase, name: str) -> None:
    assert doubts(facts, PROVED[name]) == []


@pytest.mark.parametrize("name", OPEN)
def test_what_is_taken_for_granted_stands_in_the_file(facts: KnowledgeBase, name: str) -> None:
    code, why = OPEN[name]
    said = doubts(facts, code)
    assert len(said) == 1
    assert why in said[0]
    assert said[0].startswith("torch.nn.")


def test_it_stands_above_the_call(facts: KnowledgeBase, tmp_path: Path) -> None:
    from msmap.query.projects import port as projects

    file = tmp_path / "net.py"
    file.write_text(f"{HEAD}def f(shape):\n    return nn.LayerNorm(shape)\n", encoding="utf-8")
    (done,) = projects.port(facts, [str(file)])
    lines = (done.text or "").splitlines()  # type: ignore[union-attr]
    at = next(n for n, line in enumerate(lines) if "LayerNorm((shape,)" in line)
    assert (
        lines[at - 1]
        .strip()
        .startswith(
            "# msmap: torch.nn.LayerNorm: `shape`: Taken for an int, the size of the last axis."
        )
    )


def test_a_number_becomes_a_float_where_one_is_wanted(facts: KnowledgeBase) -> None:
    done = facts.port(f"{HEAD}def f(x, a):\n    return F.celu(x, a), F.celu(x, 0.5)\n")
    assert "ops.celu(x, float(a)), ops.celu(x, 0.5)" in (done.code or "")


SHAPED = {
    "its sum": ("x = self.conv.weight.sum(0)", 1),
    "an initialiser": ("nn.init.normal_(self.conv.weight)", 0),
    "filled": ("self.conv.weight.data.fill_(1.0)", 0),
    "frozen": ("self.conv.weight.requires_grad = False", 0),
}


@pytest.mark.parametrize("name", SHAPED)
def test_another_shape_of_a_weight_is_told_where_it_matters(
    facts: KnowledgeBase, name: str
) -> None:
    line, count = SHAPED[name]
    code = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        f"        self.conv = nn.Conv1d(3, 3, 3)\n        {line}"
    )
    assert ["one more axis" in one for one in doubts(facts, code)] == [True] * count
