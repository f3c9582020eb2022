"""Groups of parameters with a weight decay of their own, which AdamW would apply in another way."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = "import torch\nfrom torch import nn\nnet = nn.Linear(2, 2)\n"
ADAM, ADAMW = "mindspore.experimental.optim.Adam(", "mindspore.experimental.optim.AdamW("
BITES = "torch.optim.Adam: A group that brings its own weight_decay is decayed as AdamW does it"


@pytest.mark.parametrize(
    "given",
    [
        "net.parameters()",
        "net.parameters(), lr=0.1, weight_decay=0",
        "params=[net.weight, net.bias]",
        "filter(lambda p: p.requires_grad, net.parameters())",
        "[p for p in net.parameters() if p.ndim > 1]",
        "list(net.parameters()) + [net.weight]",
        "[*net.parameters(), nn.Parameter(torch.zeros(2))]",
        "[{'params': net.parameters(), 'lr': 0.1}]",
        "[dict(params=[net.bias], lr=0.1), {'params': [net.weight], 'weight_decay': 0.0}]",
        "held",
        "[one]",
    ],
)
def test_without_weight_decay_adam_becomes_adamw_that_has_none(
    facts: KnowledgeBase, given: str
) -> None:
    code = f"held = [net.weight]\none = net.bias\nopt = torch.optim.Adam({given})\n"
    done = facts.port(START + code)
    assert ADAMW in str(done.code)
    assert "weight_decay=0.0)" in str(done.code)
    assert [note.en for note in done.notes if "Adam" in note.en] == []


@pytest.mark.parametrize(
    "code",
    [
        "torch.optim.Adam(net.parameters(), weight_decay=0.1)",
        "torch.optim.Adam([{'params': net.parameters(), 'weight_decay': 0.1}])",
        "groups = [dict(params=[net.weight], weight_decay=d), {'params': [net.bias]}]\n"
        "torch.optim.Adam(groups)",
        "group = {'params': [net.weight]}\ngroup['weight_decay'] = 0.1\n"
        "torch.optim.Adam([group, {'params': [net.bias]}])",
        "opt = torch.optim.Adam(net.parameters())\n"
        "for group in opt.param_groups:\n    group['weight_decay'] = 0.1",
        "opt = torch.optim.Adam([net.weight])\n"
        "opt.add_param_group({'params': [net.bias], 'weight_decay': 0.1})",
    ],
)
def test_where_parameters_decay_adam_stays_adam(facts: KnowledgeBase, code: str) -> None:
    done = facts.port(f"{START}d = 0.1\n{code}\n")
    assert ADAM in str(done.code)
    assert ADAMW not in str(done.code)
    assert any(note.en.startswith("torch.optim.Adam: eps is added") for note in done.notes)
    assert not any(note.en.startswith(BITES) for note in done.notes)


@pytest.mark.parametrize(
    "code",
    [
        "def made(params):\n    return torch.optim.Adam(params, lr=0.1)\n",
        "opt = torch.optim.Adam(groups_of(net), lr=0.1)\n",
        "opt = torch.optim.Adam([{'params': net.parameters(), **more}])\n",
        "held = groups_of(net)\nopt = torch.optim.Adam(held)\n",
    ],
)
def test_where_nothing_shows_the_groups_it_is_said(facts: KnowledgeBase, code: str) -> None:
    done = facts.port(START + code)
    assert ADAMW in str(done.code)
    assert any(note.en.startswith(BITES) for note in done.notes)


def test_who_inherits_from_adam_passes_decay_on_to_an_adam(facts: KnowledgeBase) -> None:
    code = "class Mine(torch.optim.Adam):\n    pass\n"
    assert "class Mine(mindspore.experimental.optim.Adam):" in str(facts.port(START + code).code)


def test_an_adam_is_told_by_all_that_one_may_have_become(facts: KnowledgeBase) -> None:
    code = "def f(o):\n    return isinstance(o, torch.optim.Adam)\n"
    both = "(mindspore.experimental.optim.AdamW, mindspore.experimental.optim.Adam)"
    assert f"isinstance(o, {both})" in str(facts.port(START + code).code)
