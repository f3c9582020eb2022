"""States that go from one training step to the next: without their history they are carried."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

WHOLE = """
import torch
from torch import nn
class Config:
    def __init__(self, size): self.size = size
class Net(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.rnn = nn.LSTM(cfg.size, cfg.size)
    def forward(self, x, state): return self.rnn(x, state)
def cut(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(cut(one) for one in state)
def data(cfg):
    return torch.ones(3, 1, cfg.size)
def train(net: Net):
    cfg = net.cfg
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    state = net.zeros()
    whole = data(cfg)
    for at in range(3):
        x = whole[at:at + 1]
"""
STEP = """
        opt.zero_grad()
        out, state = net(x, state)
        loss = out.sum()
        loss.backward()
        opt.step()
"""


def test_a_state_without_its_history_is_carried(facts: KnowledgeBase) -> None:
    code = facts.port(f"{WHOLE}        state = cut(state){STEP}").code or ""
    assert "state = cut(state)\n        (loss, state), grads = grad_fn(state, x)" in code
    assert "    def forward_fn(state, x):\n        out, state = net(x, state)\n" in code


@pytest.mark.parametrize("cutting", ["state = net.cut(state)", "state = list(state)", "pass"])
def test_a_state_with_its_history_is_not(cutting: str, facts: KnowledgeBase) -> None:
    done = facts.port(f"{WHOLE}        {cutting}{STEP}")
    assert any("the training step stays" in refusal.reason.en for refusal in done.refusals)


def test_a_module_that_is_given_itself_again_stays_ahead(facts: KnowledgeBase) -> None:
    step = STEP.replace(
        "out, state = net(x, state)", "net = net.train()\n        out = net(x, None)[0]"
    )
    code = facts.port(f"{WHOLE}{step}").code or ""
    assert "        net = net.set_train()\n        loss, grads = grad_fn(" in code
