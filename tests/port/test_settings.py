"""What layers and loaders keep of their arguments: read or set, it may be another thing."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase
from msmap.scan import find

START = "import torch\nfrom torch import nn\nfrom torch.utils.data import DataLoader\n"
LEFT = {
    "the order of a loader": "loader = DataLoader(xs)\nprint(loader.sampler)\n",
    "the tensors of a dataset": (
        "data = torch.utils.data.TensorDataset(torch.ones(3))\nprint(data.tensors[0])\n"
    ),
    "of a parameter": "def f(loader: DataLoader):\n    return loader.sampler\n",
    "another meaning": "norm = nn.BatchNorm2d(3)\nprint(norm.momentum)\n",
    "another meaning, set": "norm = nn.BatchNorm2d(3)\nnorm.momentum = 0.2\n",
    "another name": "table = nn.Embedding(3, 4)\nprint(table.embedding_dim)\n",
    "by a test of the type": (
        "def f(net: nn.Module):\n    for m in net.modules():\n"
        "        if isinstance(m, nn.BatchNorm2d):\n            m.momentum = 0.2\n"
    ),
    "inherited": (
        "class A(nn.Conv2d):\n    def forward(self, x):\n        return x * len(self.padding)\n"
    ),
}
KEPT = {
    "the same": "layer = nn.Linear(2, 3)\nprint(layer.in_features, layer.weight, layer.bias)\n",
    "its own": (
        "class A(nn.Conv2d):\n    def __init__(self):\n        super().__init__(1, 2, 3)\n"
        "        self.padding = 3\n    def forward(self, x):\n        return x * self.padding\n"
    ),
    "another's": "class Table:\n    dataset = 1\nloader = Table()\nprint(loader.dataset)\n",
    "unknown": "def f(loader):\n    return loader.dataset\n",
    "no argument": "layer = nn.Linear(2, 3)\nlayer.mine = 3\nprint(layer.mine)\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_may_be_another_thing_is_told(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(START + LEFT[name])
    reasons = [refusal.reason.en for refusal in done.refusals]
    assert any("nothing shows that MindSpore keeps it" in reason for reason in reasons)


@pytest.mark.parametrize("name", KEPT)
def test_what_is_the_same_or_no_argument_goes_without_saying(
    facts: KnowledgeBase, name: str
) -> None:
    done = facts.port(START + KEPT[name])
    reasons = [refusal.reason.en for refusal in done.refusals]
    assert not any("nothing shows" in reason for reason in reasons)


def test_scan_counts_what_is_told_alone(facts: KnowledgeBase) -> None:
    code = f"{START}layer = nn.Linear(2, 3)\nnorm = nn.BatchNorm2d(3)\n"
    counted = [len(find.code(code + more, facts)) for more in ("", "layer.in_features\n")]
    assert counted[0] == counted[1]
    told = [site for site in find.code(f"{code}norm.momentum\n", facts) if site.line == 6]
    assert [site.apis for site in told] == [("torch.nn.BatchNorm2d",)]


COLLECTIVE = """import torch.distributed as dist
def f(t):
    work = dist.all_reduce(t, async_op=True)
    work.wait()
"""


def test_what_a_collective_gives_is_waited_for(facts: KnowledgeBase) -> None:
    """MindSpore's is waited for in the same way: nothing is said."""
    done = facts.port(COLLECTIVE)
    assert done.refusals == ()
    assert (done.code or "").endswith("    work.wait()\n")


def test_random_without_bounds_is_told(facts: KnowledgeBase) -> None:
    """No kernel on CPU has it, and nothing tells the largest number of the dtype."""
    done = facts.port("import torch\nx = torch.zeros(3)\nx.random_()\n")
    assert [refusal.source for refusal in done.refusals] == ["x.random_()"]


VALUES = {
    "torch.sin": "mindspore.ops.sin",
    "torch.nn.functional.relu": "mindspore.ops.relu",
    "torch.nn.functional.gelu": "mindspore.ops.gelu",
    "torch.cat": "mindspore.mint.cat",
    # Others take arguments otherwise, or give something else.
    "torch.zeros": "",
    "torch.max": "",
    "torch.nn.functional.mse_loss": "",
    "torch.nn.functional.softmax": "",
}


@pytest.mark.parametrize("name", VALUES)
def test_functions_that_take_the_same_are_values(facts: KnowledgeBase, name: str) -> None:
    done = facts.port(f"import torch\nfns = [{name}, len]\n")
    now = VALUES[name].removeprefix("mindspore.")
    assert f"{now or name}, len]" in (done.code or "")
    assert len(done.refusals) == (not now)
