"""What ran without gradients lets none through where gradients are taken now."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

START = "import torch\nfrom torch import nn\n\n"
STEP = """
def train(net: nn.Module, loader):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        optimizer.zero_grad()
        loss = {}
        loss.backward()
        optimizer.step()
        evaluate(net, x)
"""
FUNCTIONS = {
    "a function": (
        "@torch.no_grad()\ndef target(net, x):\n    return net(x) * 2\n",
        "target(net, x) + y",
        "def target(net, x):\n    return ops.stop_gradient(net(x) * 2)\n",
    ),
    "several results": (
        "@torch.no_grad()\ndef target(net, x):\n    if x:\n        return net(x), 2\n"
        "    return x, (net(x))\n",
        "target(net, x)[0] + y",
        "def target(net, x):\n    if x:\n        return ops.stop_gradient((net(x), 2))\n"
        "    return ops.stop_gradient((x, (net(x))))\n",
    ),
    "a block, called by another": (
        "def values(net, x):\n    with torch.no_grad():\n        v = net(x)\n        n = len(x)\n"
        "    return v\n\n\n"
        "def both(net, x):\n    return values(net, x) + net(x)\n",
        "both(net, x) + y",
        "def values(net, x):\n    v = ops.stop_gradient(net(x))\n    n = len(x)\n    return v\n\n\n"
        "def both(net, x):\n    return values(net, x) + net(x)\n",
    ),
    "what a function sets": (
        "@torch.no_grad()\ndef keep(net, x, held):\n    y = net(x)\n    held[0] = y\n"
        "    return 0\n",
        "keep(net, x, held) + net(x)",
        "def keep(net, x, held):\n    y = net(x)\n    held[0] = ops.stop_gradient(y)\n"
        "    return 0\n",
    ),
    "one that is only called beside the step": (
        "@torch.no_grad()\ndef evaluate(net, x):\n    return net(x)\n",
        "net(x) + y",
        "def evaluate(net, x):\n    return net(x)\n",
    ),
    "one that a module calls": (
        "@torch.no_grad()\ndef target(net, x):\n    return net(x) * 2\n\n\n"
        "class Loss(nn.Module):\n    def forward(self, net, x):\n        return target(net, x)\n",
        "net(x) + y",
        "def target(net, x):\n    return ops.stop_gradient(net(x) * 2)\n\n\n"
        "class Loss(nn.Cell):\n    def construct(self, net, x):\n        return target(net, x)\n",
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_stop_there(facts: KnowledgeBase, name: str) -> None:
    code, loss, expected = FUNCTIONS[name]
    done = facts.port(f"{START}\n{code}\n{STEP.format(loss)}")
    assert "grad_fn" in (done.code or "")
    assert expected in (done.code or "")
