"""What scripts of common styles brought up: each was ported to code that fails, or is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from msmap.query.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def facts(shipped: Path) -> Iterator[KnowledgeBase]:
    with KnowledgeBase.open(shipped, device="cpu") as found:
        yield found


# The code, what has to stand in its port, and what mustn't.
SCRIPTS = {
    "gradients of another function": (
        """
        import torch
        from torch import nn, autograd
        net = nn.Linear(2, 1)
        opt = torch.optim.SGD(net.parameters(), lr=0.1)
        def penalty(out, x):
            grads = autograd.grad(out, x)[0]
            return grads
        def train(x):
            for _ in range(2):
                loss = net(x).sum()
                loss.backward()
                opt.step()
        """,
        "opt.step()",
        "opt(grads)",
    ),
    "the optimizer made after zero_grad of another": (
        """
        import torch
        import torch.nn.functional as F
        from torch import nn
        def run(x, y):
            net = nn.Linear(2, 2)
            optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
            loss = F.cross_entropy(net(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            return net
        """,
        "def forward_fn():\n        loss =",
        "has_aux",
    ),
    "a variable of old code is no gradient": (
        """
        import torch
        from torch import nn
        from torch.autograd import Variable
        net = nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        criterion = nn.MSELoss()
        for x, y in loader:
            x = Variable(x)
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        """,
        "mindspore.value_and_grad(",
        "Variable",
    ),
    "a function in a container of cells": (
        """
        import torch
        from torch import nn
        net = nn.Sequential(nn.Linear(2, 2), nn.ELU(0.3))
        """,
        "nn.ELU(0.3)",
        "lambda",
    ),
    "a function in a list for one": (
        "from torch import nn\nlayers = [nn.Linear(2, 2)]\nlayers += [nn.ELU(0.3)]\n",
        "nn.ELU(0.3)",
        "lambda",
    ),
    "a function by a name": (
        "from torch import nn\nclass A(nn.Module):\n    def __init__(self):\n"
        "        super().__init__()\n        self.act = nn.ELU(0.3)\n",
        "self.act = (lambda",
        "nn.ELU",
    ),
    "types of what may be made of a size": (
        "import torch\nfrom torch import Tensor\n"
        "def f(x: torch.Tensor, y: Tensor) -> torch.Tensor:\n    return x + y\n",
        "from mindspore import Tensor\ndef f(x: Tensor, y: Tensor) -> Tensor:",
        "import torch",
    ),
    "a type of Python's own as dtype": (
        "import torch\nx = torch.ones(3, dtype=bool)\n",
        "x = mindspore.mint.ones((3,), dtype=mindspore.bool",
        "dtype=bool",
    ),
    "a name that isn't Python's own any more": (
        "import torch\nbool = torch.uint8\nx = torch.ones(3, dtype=bool)\n",
        "bool = mindspore.uint8\nx = mindspore.mint.ones((3,), dtype=bool)",
        "dtype=mindspore",
    ),
    "one number for a list of them": (
        "import torch\nx = torch.ones(3, 4)\ny = x.flip(0)\n",
        "mindspore.mint.flip(x, (0,))",
        "x.flip(0)",
    ),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_port_runs(facts: KnowledgeBase, name: str) -> None:
    code, expected, never = SCRIPTS[name]
    made = facts.port(dedent(code).lstrip("\n")).code
    assert made is not None
    assert expected in made
    assert never not in made
