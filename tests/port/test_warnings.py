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
    from msmap.query import projects

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
