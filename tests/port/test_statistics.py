"""Named parameters: without running statistics, which are buffers in PyTorch."""

from __future__ import annotations

import pytest

from msmap.query.knowledge_base import KnowledgeBase

MODEL = """\
{imports}
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.{norm}(4)

    def forward(self, x):
        return self.norm(x)

net = Net()
{line}
"""
PLAIN = "net.parameters_and_names()"
WITHOUT = (
    "[(n, p) for n, p in net.parameters_and_names()"
    " if not n.endswith(('moving_mean', 'moving_variance'))]"
)


@pytest.mark.parametrize(
    ("norm", "imports", "becomes"),
    [
        ("BatchNorm2d", "import torch", WITHOUT),
        ("InstanceNorm2d", "import torch", WITHOUT),
        ("LayerNorm", "import torch", PLAIN),
        ("LayerNorm", "import math, numpy as np", PLAIN),
        ("LayerNorm", "from layers import Block", WITHOUT),
        ("LayerNorm", "import torchvision", WITHOUT),
    ],
)
def test_statistics_are_left_out(
    norm: str, imports: str, becomes: str, facts: KnowledgeBase
) -> None:
    line = "count = sum(p.numel() for name, p in net.named_parameters())"
    done = facts.port(MODEL.format(norm=norm, imports=imports, line=line))
    assert done.code is not None
    expected = line.replace("net.named_parameters()", becomes)
    assert done.code.splitlines()[-1] == expected


def test_a_prefix_is_told(facts: KnowledgeBase) -> None:
    line = "names = dict(net.named_parameters('a'))"
    done = facts.port(MODEL.format(norm="BatchNorm2d", imports="import torch", line=line))
    assert [refusal.kind for refusal in done.refusals] == ["differs"]
