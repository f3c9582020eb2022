"""Parameters of layers that may be of several classes, which call them otherwise in MindSpore."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase

HEAD = "import torch\nfrom torch import nn\n\n"
FILLED = ".set_data(mindspore.common.initializer.initializer("
# What holds embeddings, and how they are asked for one by one.
HELD = {
    "a dict of a comprehension": (
        "d = nn.ModuleDict({n: nn.Embedding(3, 4) for n in names})", "d.values()", "e",
    ),
    "its pairs": ("d = nn.ModuleDict({'a': nn.Embedding(3, 4)})", "d.items()", "n, e"),
    "a list": ("d = nn.ModuleList([nn.Embedding(3, 4) for n in names])", "d", "e"),
}  # fmt: skip


@pytest.mark.parametrize("name", HELD)
def test_what_a_container_holds_has_its_own_names(facts: KnowledgeBase, name: str) -> None:
    made, over, targets = HELD[name]
    code = f"{made}\nfor {targets} in {over}:\n    nn.init.normal_(e.weight, std=0.1)\n"
    done = facts.port(HEAD + code)
    assert done.refusals == ()
    assert f"    e.embedding_table{FILLED}" in (done.code or "")


def test_a_function_gives_what_it_makes(facts: KnowledgeBase) -> None:
    done = facts.port(
        HEAD
        + dedent("""
        def matrix(names, device):
            found = nn.ModuleDict({n: nn.Embedding(3, 4) for n in names})
            for table in found.values():
                nn.init.normal_(table.weight, std=0.1)
            return found.to(device)

        class Net(nn.Module):
            def __init__(self, names):
                super().__init__()
                self.tables = matrix(names, "cpu")
                for table in self.tables.values():
                    nn.init.normal_(table.weight, std=0.2)
        """)
    )
    assert done.refusals == ()
    assert (done.code or "").count(f"table.embedding_table{FILLED}") == 2


# What is asked of a layer of which nothing is known.
ASKED = {
    "read": "x = m.weight.sum()",
    "of a part": "x = net.encoder.embed.weight",
    "tied": "head.weight = m.weight",
    "filled through data": "m.weight.data.normal_()",
    "a bias": "print(m.bias)",
    "statistics": "print(m.running_mean)",
    "by a text": "x = getattr(m, 'weight')",
    "whether it is there": "if hasattr(m, 'bias'):\n        print(1)",
}


@pytest.mark.parametrize("name", ASKED)
def test_a_layer_that_may_be_any_is_told(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(f"{HEAD}def f(m, net, head):\n    {ASKED[name]}\n    return nn.ReLU()\n")
    said = [one for one in done.refusals if "nothing proves which layer" in one.reason.en]
    assert [one.kind for one in said] == ["possible"]
    assert "无法证明" in said[0].reason.zh


KNOWN = {
    "a class that is tested": "if isinstance(m, nn.Linear):\n        print(m.weight)",
    "a norm that is tested": "if isinstance(m, nn.LayerNorm):\n        print(m.weight)",
    "what is annotated": "n: nn.Embedding = m\n    print(n.weight)",
    "another attribute": "print(m.width)",
}


@pytest.mark.parametrize("name", KNOWN)
def test_a_layer_that_is_known_is_not(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(f"{HEAD}def f(m):\n    {KNOWN[name]}\n    return nn.ReLU()\n")
    assert done.refusals == ()


def test_own_parameters_are_no_layers(facts: KnowledgeBase) -> None:
    done = facts.port(
        HEAD
        + dedent("""
        class Scale(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.ones(3))
            def forward(self, x):
                return x * self.weight
        """)
    )
    assert done.refusals == ()


ANY = """
def fill(m):
    nn.init.constant_(m.weight, 3.0)
    if not isinstance(m, nn.Embedding):
        nn.init.constant_(m.bias, 2.0)


for layer in (nn.Linear(2, 2), nn.LayerNorm(2), nn.Embedding(3, 2), nn.BatchNorm2d(2)):
    fill(layer)
    print(*(float(p.sum()) for p in layer.parameters() if p.requires_grad))
"""


@pytest.mark.frameworks
def test_an_initialiser_fills_whatever_layer_it_gets(facts: KnowledgeBase, tmp_path: Path) -> None:
    printed = []
    for name, code in (("before", HEAD + ANY), ("ported", facts.port(HEAD + ANY).code or "")):
        (tmp_path / f"{name}.py").write_text(code, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, f"{name}.py"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        printed.append(done.stdout)
    assert printed[0] == printed[1]
