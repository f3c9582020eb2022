"""Texts that name parameters: layers of MindSpore's call them otherwise, which is told there."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = "import torch\nfrom torch import nn\ndef f(net: nn.Module):\n    "
TOLD = {
    "[n for n, p in net.named_parameters() if n.endswith('.bias')]": 'Tests such as "bn.weight"',
    "[n for n, p in net.named_parameters() if n in ('bias', 'norm.weight')]": "Tests such as",
    "[n for n, b in net.named_buffers() if 'running_mean' in n]": "They come after all other",
    "net.state_dict()['conv1.weight']": "Keys are attribute paths as in PyTorch, but layers name",
}
NOT_TOLD = (
    "[(n, 'weight decay', {'weight_decay': 1}) for n, p in net.named_parameters()]",
    "[n for n, p in net.named_parameters() if 'backbone' in n]",
    "net.state_dict()",
)


def notes(facts: KnowledgeBase, code: str) -> list[str]:
    return [note.en.partition(": ")[2] for note in facts.port(START + code + "\n").notes]


@pytest.mark.parametrize("code", TOLD)
def test_that_names_differ_is_told(facts: KnowledgeBase, code: str) -> None:
    assert [note for note in notes(facts, code) if note.startswith(TOLD[code])] != []


@pytest.mark.parametrize("code", NOT_TOLD)
def test_that_names_differ_is_not_told_where_none_is_written(
    facts: KnowledgeBase, code: str
) -> None:
    found = notes(facts, code)
    assert [note for note in found if note.startswith(tuple(TOLD.values()))] == []
