"""What a port that runs may give otherwise is said in the file, and the command exits with 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.query.knowledge_base import KnowledgeBase
from msmap.scan import find

HEAD = "import torch\nfrom torch import nn\n\n"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        # The call gives what the caveat is about.
        ("emb = nn.Embedding(9, 4, padding_idx=0)", ["padding_idx"]),
        # The text of the code does.
        (
            "net = nn.LayerNorm(3)\nd = [p for n, p in net.named_parameters() if n == 'weight']",
            ["gamma"],
        ),
        # They name what has the same name here: a layer's own, or what the code registers.
        (
            "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
            "        self.proj = nn.Linear(3, 3)\n        self.ln = nn.LayerNorm(3)\n"
            "        self.register_buffer('bias', torch.ones(3))\n"
            "        for n, p in self.named_parameters():\n"
            "            if n.endswith('proj.weight'):\n                nn.init.zeros_(p)",
            [],
        ),
        # Every call does.
        ("def f(x):\n    return torch.linalg.svd(x)", ["sign"]),
        # What is written to is lost where gradients are taken, and nowhere else.
        (
            "class Net(nn.Module):\n    def forward(self, x: torch.Tensor):\n"
            "        v = x.view(-1)\n        v[0] = 1\n        return x",
            ["view"],
        ),
        ("def f(x: torch.Tensor):\n    v = x.view(-1)\n    v[0] = 1\n    return x", []),
        ("def f(p: nn.Parameter):\n    p.data.clamp_(0, 1)\n    p.data.add_(1)", []),
        # Another result than PyTorch's, wherever it stands.
        ("def f(x: torch.Tensor):\n    x.unfold(0, 2, 2)[0] = 1\n    return x", ["copy"]),
        # The call doesn't.
        ("emb = nn.Embedding(9, 4)", []),
        # It depends on the inputs: a note is enough.
        ("def f(x):\n    return nn.functional.normalize(torch.abs(x), p=2)", []),
    ],
)
def test_what_this_call_gives_otherwise_is_a_warning(
    facts: KnowledgeBase, code: str, told: list[str]
) -> None:
    done = facts.port(f"{HEAD}{code}\n")
    assert [one.kind for one in done.refusals] == ["differs"] * len(told)
    for word, one in zip(told, done.refusals, strict=True):
        assert word in one.reason.en


def test_the_file_says_it_above_the_call_once(facts: KnowledgeBase, tmp_path: Path) -> None:
    from msmap.query.projects import port as projects

    file = tmp_path / "net.py"
    file.write_text(f"{HEAD}emb = nn.Embedding(9, 4, padding_idx=0)\n")
    for _ in range(2):
        (done,) = projects.port(facts, [str(file)])
        assert done.told.left == len(done.told.refusals)  # type: ignore[union-attr]
        file.write_text(done.text)  # type: ignore[union-attr]
    lines = file.read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if "nn.Embedding(" in line and "#" not in line)
    assert lines[place - 1].startswith("# msmap: torch.nn.Embedding: padding_idx")
    assert [line.startswith("# msmap:") for line in lines].count(True) == 1
    assert "import torch" not in lines


def test_scan_says_what_it_becomes_too(facts: KnowledgeBase) -> None:
    (site,) = find.code("torch.nn.Embedding(9, 4, padding_idx=0)", facts)
    assert (site.rule, site.status, site.port != "") == ("differs", "care", True)
