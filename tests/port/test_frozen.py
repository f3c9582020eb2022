"""Parameters where code freezes some: who goes through all, and who takes those to train."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

TRAINED, EVERY = "net.trainable_params()", "net.get_parameters() if not p.name.endswith("
START = "import torch\nfrom torch import nn\nnet = nn.Linear(2, 2)\n"
FREEZING = f"{START}net.weight.requires_grad = False\n"


@pytest.mark.parametrize(
    "code",
    [
        "for p in net.parameters():\n    p.requires_grad = True\n",
        "for p, q in zip(net.parameters(), others):\n    q.data.copy_(p)\n",
        "for i, p in enumerate(net.parameters()):\n    print(i, p)\n",
        "print(sum(p.numel() for p in net.parameters()))\n",
        "print([p for p in net.parameters() if p.requires_grad])\n",
        "kept = []\nfor p in net.parameters():\n    if p.requires_grad:\n        kept.append(p)\n",
        "print(len(list(net.parameters())))\n",
        "ps = list(net.parameters())\nprint(len(ps))\nfor p in ps:\n    print(p)\n",
        "ps = net.parameters()\nfor p in ps:\n    p.requires_grad = True\n",
        "it = iter(net.parameters())\nfirst = next(it)\n",
        "first = list(net.parameters())[0]\n",
        "ps = list(net.parameters())\nfor p in ps[1:]:\n    print(p)\n",
        "print(next(net.parameters()).dtype)\n",
        "[p.requires_grad_(False) for p in net.parameters()]\n",
    ],
)
def test_what_goes_through_all_parameters_sees_the_frozen_ones(
    facts: KnowledgeBase, code: str
) -> None:
    done = facts.port(FREEZING + code)
    assert EVERY in str(done.code)
    assert TRAINED not in str(done.code)
    assert not any("Frozen" in note.en for note in done.notes)


@pytest.mark.parametrize(
    "code",
    [
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\n",
        "opt = torch.optim.SGD([p for p in net.parameters() if p.requires_grad], lr=0.1)\n",
        "opt = torch.optim.SGD([{'params': net.parameters(), 'lr': 1.0}], lr=0.1)\n",
        "ps = list(net.parameters())\nopt = torch.optim.SGD(ps, lr=0.1)\n",
        "ps = list(net.parameters())\nopt = torch.optim.SGD(ps, lr=0.1)\n"
        "torch.nn.utils.clip_grad_norm_(ps, 1.0)\n",
        "ps = filter(lambda p: p.requires_grad, net.parameters())\ntrain(ps)\n",
    ],
)
def test_an_optimizer_gets_those_that_train(facts: KnowledgeBase, code: str) -> None:
    done = facts.port(FREEZING + code)
    assert TRAINED in str(done.code)
    assert not any("Frozen" in note.en for note in done.notes)
    assert not any("Frozen" in one.reason.en for one in done.refusals)


@pytest.mark.parametrize(
    "code",
    [
        "params = net.parameters()\n",
        "ps = list(net.parameters())\nopt = torch.optim.SGD(ps, lr=0.1)\nprint(len(ps))\n",
        "ps = list(net.parameters())\nsave(ps)\n",
        "def every():\n    return list(net.parameters())\n",
        "params = [p for p in net.parameters()]\n",
        "params = []\nfor p in net.parameters():\n    params.append(p)\n",
    ],
)
def test_where_nothing_tells_who_gets_them_it_is_said(facts: KnowledgeBase, code: str) -> None:
    done = facts.port(FREEZING + code)
    assert TRAINED in str(done.code)
    (said,) = (one for one in done.refusals if "Frozen" in one.reason.en)
    assert (said.kind, said.source) == ("differs", "net.parameters()")


def test_where_nothing_is_frozen_those_that_train_are_all(facts: KnowledgeBase) -> None:
    code = "print(sum(p.numel() for p in net.parameters() if p.requires_grad))\n"
    done = facts.port(START + code)
    assert TRAINED in str(done.code)
    assert not any("Frozen" in note.en for note in done.notes)
