"""What ran without gradients lets none through where gradients are taken now."""

from __future__ import annotations

from pathlib import Path

import pytest

from msmap.infer.modules import Modules
from msmap.port import project
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
    "what it is given": (
        "@torch.no_grad()\ndef sharpen(p, t=0.5):\n    q = p ** (1 / t)\n    total = q.sum()\n"
        "    return q / total, t, int(total), len(q), q.shape\n\n\n"
        "def centred(x):\n    with torch.no_grad():\n        m = x * 2\n    return x - m\n",
        "sharpen(net(x))[0] + centred(net(x))",
        "    return ops.stop_gradient((q / total, t, int(total), len(q), q.shape))\n\n\n"
        "def centred(x):\n    m = ops.stop_gradient(x * 2)\n    return x - m\n",
    ),
    "what is put into lists": (
        "def outs(net, x):\n    found = []\n    with torch.no_grad():\n"
        "        for y in x:\n            found.append(net(y))\n            n = len(found)\n"
        "    return found\n",
        "outs(net, x)[0] + net(x)",
        "    for y in x:\n        found.append(ops.stop_gradient(net(y)))\n"
        "        n = len(found)\n    return found\n",
    ),
    "what is kept, and what is a number": (
        "class Memory:\n    def __init__(self):\n        self.value = 0\n\n"
        "    @torch.no_grad()\n    def update(self, x):\n        self.value = x.mean()\n"
        "        return int(x.sum())\n",
        "memory.update(net(x)) + net(x)",
        "        self.value = ops.stop_gradient(x.mean())\n        return int(x.sum())\n",
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


MODULES = {
    "a buffer": (
        "        self.register_buffer('mean', torch.zeros(2))\n\n"
        "    @torch.no_grad()\n    def update(self, y):\n"
        "        self.mean = self.mean * 0.9 + y.mean(0) * 0.1  # moves\n\n"
        "    def forward(self, x):\n        y = self.net(x)\n        self.update(y)\n"
        "        return y - self.mean\n",
        "    def update(self, y):\n        self.register_buffer("
        '"mean", ops.stop_gradient(self.mean * 0.9 + y.mean(0) * 0.1))  # moves\n',
    ),
    "a block in forward": (
        "    def forward(self, x):\n        with torch.no_grad():\n"
        "            y = self.teacher(x)\n            self.update()\n            n = 3\n"
        "        return self.net(x) - y\n\n"
        "    @torch.no_grad()\n    def update(self):\n"
        "        for p, q in zip(self.net.parameters(), self.teacher.parameters()):\n"
        "            q.data = q.data * 0.9 + p.data * 0.1\n",
        "        y = ops.stop_gradient(self.teacher(x))\n        self.update()\n        n = 3\n",
    ),
    "a method that forward calls": (
        "    def forward(self, x):\n        return self.net(x) - self.target(x)\n\n"
        "    @torch.no_grad()\n    def target(self, x):\n        self.last = x\n"
        "        if x is None:\n            return 0\n        return self.net(x) * 2\n",
        "        self.last = ops.stop_gradient(x)\n        if x is None:\n            return 0\n"
        "        return ops.stop_gradient(self.net(x) * 2)\n",
    ),
}


@pytest.mark.parametrize("name", MODULES)
def test_gradients_stop_where_a_layer_is_called(facts: KnowledgeBase, name: str) -> None:
    methods, expected = MODULES[name]
    head = (
        "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.net, self.teacher = nn.Linear(2, 2), nn.Linear(2, 2)\n\n"
    )
    done = facts.port(f"{START}\n{head}{methods}")
    assert "no_grad" not in (done.code or "")
    assert expected in (done.code or "")


def test_gradients_stop_where_another_file_calls(facts: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "targets.py").write_text(
        "import torch\n@torch.no_grad()\ndef target(x):\n    return x * 2\n"
        "@torch.no_grad()\ndef other(x):\n    return x * 2\n"
    )
    (tmp_path / "main.py").write_text(
        "import torch\nfrom targets import target\ndef loss(x):\n    return target(x) + x\n"
    )
    modules = Modules([tmp_path / "targets.py", tmp_path / "main.py"], facts)
    done = project.port(tmp_path / "targets.py", modules)
    assert isinstance(done, project.Done)
    assert "return mindspore.ops.stop_gradient(x * 2)\ndef other(x):\n    return x * 2" in done.text
